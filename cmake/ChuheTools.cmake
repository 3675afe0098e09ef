# The compiler cache and the linker: taken where found, never required. Before enable_language(CUDA).

find_program(CHUHE_CCACHE ccache)
if(CHUHE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # base_dir makes paths relative, so that a clone in another folder hits what this one has compiled.
  set(_chuhe_launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CHUHE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${_chuhe_launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${_chuhe_launcher})
endif()

include(CheckLinkerFlag)
set(CHUHE_LINKER "auto" CACHE STRING "auto (mold, else lld, else the compiler's own), or a name for -fuse-ld=, or default")
if(CHUHE_LINKER STREQUAL "auto")
  foreach(_chuhe_linker mold lld)
    check_linker_flag(CXX -fuse-ld=${_chuhe_linker} CHUHE_HAS_${_chuhe_linker})
    if(CHUHE_HAS_${_chuhe_linker})
      add_link_options(-fuse-ld=${_chuhe_linker})
      break()
    endif()
  endforeach()
elseif(NOT CHUHE_LINKER STREQUAL "default")
  add_link_options(-fuse-ld=${CHUHE_LINKER})
endif()
# A program loads only what it uses (the start time of `chuhe --help` depends on it); LibTorch's CUDA part says otherwise
# for itself (FindChuheTorch).
add_link_options(-Wl,--as-needed)
