# Finds LibTorch and makes imported targets for it.
#
# Looked at, in this order; the first that is there is taken, or the configure step stops and says why it does not fit:
#   1. CHUHE_TORCH (CMake variable, else environment): an unpacked libtorch, a site-packages/torch, or a site-packages
#   2. the project's .venv (made by scripts/setup)
#   3. the torch of `python3`; one of another version is passed over, not an error
#
# Targets:
#   chuhe::torch       link this: torch_cpu and c10, and where usable torch_cuda, c10_cuda and the CUDA runtime
#   chuhe::torch_cuda  exists only where CUDA's part is usable: CHUHE_WITH_CUDA, the wheel has it, its libraries are all found
# Variables: ChuheTorch_FOUND, CHUHE_TORCH_DIR, CHUHE_TORCH_VERSION, CHUHE_TORCH_CUDA (TRUE where chuhe::torch_cuda exists).
#
# Why not find_package(Torch): on a CUDA wheel it stops where no toolkit is, overrides CMAKE_CUDA_ARCHITECTURES and
# spreads its own flags.

set(_chuhe_torch_wanted "2.11")

# <torch folder> that holds include/ and lib/ below `dir`, or empty.
function(_chuhe_torch_root out dir)
  set(${out} "" PARENT_SCOPE)
  foreach(candidate ${dir} ${dir}/torch)
    if(EXISTS ${candidate}/lib/libtorch_cpu.so AND EXISTS ${candidate}/include/torch/csrc/api/include/torch/torch.h)
      set(${out} ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(_chuhe_torch_version out root)
  set(version "")
  foreach(header include/torch/headeronly/version.h include/torch/csrc/api/include/torch/version.h)
    if(EXISTS ${root}/${header})
      file(STRINGS ${root}/${header} lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
      string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*PATCH ([0-9]+).*" "\\1.\\2.\\3" version "${lines}")
      if(version MATCHES "^[0-9.]+$")
        break()
      endif()
    endif()
  endforeach()
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# `why` is empty if the torch at `root` fits.
function(_chuhe_torch_misfit why root)
  set(${why} "" PARENT_SCOPE)
  _chuhe_torch_version(version ${root})
  if(NOT version MATCHES "^2\\.11\\.")
    set(${why} "its version is '${version}', expected ${_chuhe_torch_wanted}.x" PARENT_SCOPE)
    return()
  endif()
  # A libc10 of the old ABI has no __cxx11 string in any symbol; linking against it fails with hundreds of lines.
  file(STRINGS ${root}/lib/libc10.so symbols REGEX "__cxx11" LIMIT_COUNT 1)
  if(NOT symbols)
    set(${why} "it was built with the old C++ ABI (_GLIBCXX_USE_CXX11_ABI=0); take the cxx11 build (wheels since 2.6, or the 'cxx11-abi' libtorch)"
        PARENT_SCOPE)
  endif()
endfunction()

set(CHUHE_TORCH_DIR "")
set(_chuhe_torch_asked "${CHUHE_TORCH}")
if(NOT _chuhe_torch_asked)
  set(_chuhe_torch_asked "$ENV{CHUHE_TORCH}")
endif()
if(_chuhe_torch_asked)
  get_filename_component(_chuhe_torch_asked "${_chuhe_torch_asked}" ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  _chuhe_torch_root(CHUHE_TORCH_DIR ${_chuhe_torch_asked})
  if(NOT CHUHE_TORCH_DIR)
    message(FATAL_ERROR "CHUHE_TORCH=${_chuhe_torch_asked}: no LibTorch there; expected lib/libtorch_cpu.so and "
                        "include/torch/csrc/api/include/torch/torch.h in it (an unpacked libtorch or a site-packages/torch)")
  endif()
  set(_chuhe_torch_from "CHUHE_TORCH")
  _chuhe_torch_misfit(_chuhe_torch_why ${CHUHE_TORCH_DIR})
  if(_chuhe_torch_why)
    message(FATAL_ERROR "CHUHE_TORCH=${_chuhe_torch_asked} does not fit: ${_chuhe_torch_why}")
  endif()
endif()
if(NOT CHUHE_TORCH_DIR)
  file(GLOB _chuhe_torch_site ${CMAKE_SOURCE_DIR}/.venv/lib/python3.*/site-packages)
  foreach(_chuhe_torch_folder ${_chuhe_torch_site})
    _chuhe_torch_root(CHUHE_TORCH_DIR ${_chuhe_torch_folder})
    if(CHUHE_TORCH_DIR)
      set(_chuhe_torch_from ".venv")
      _chuhe_torch_misfit(_chuhe_torch_why ${CHUHE_TORCH_DIR})
      if(_chuhe_torch_why)
        message(FATAL_ERROR "the torch in .venv does not fit: ${_chuhe_torch_why}; run scripts/setup")
      endif()
      break()
    endif()
  endforeach()
endif()
if(NOT CHUHE_TORCH_DIR)
  # find_spec imports nothing: torch itself takes seconds to import. The user's python3, not .venv's, which comes first in a preset.
  string(REPLACE "${CMAKE_SOURCE_DIR}/.venv/bin:" "" _chuhe_torch_path "$ENV{PATH}")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env "PATH=${_chuhe_torch_path}" python3 -c "import importlib.util as u, os; s = u.find_spec('torch'); print(os.path.dirname(s.origin) if s else '')"
    OUTPUT_VARIABLE _chuhe_torch_python OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE _chuhe_torch_rc)
  if(_chuhe_torch_rc EQUAL 0 AND _chuhe_torch_python)
    _chuhe_torch_root(CHUHE_TORCH_DIR ${_chuhe_torch_python})
    if(CHUHE_TORCH_DIR)
      set(_chuhe_torch_from "python3")
      _chuhe_torch_misfit(_chuhe_torch_why ${CHUHE_TORCH_DIR})
      if(_chuhe_torch_why)
        message(STATUS "torch of python3 (${CHUHE_TORCH_DIR}) is not used: ${_chuhe_torch_why}")
        set(CHUHE_TORCH_DIR "")
      endif()
    endif()
  endif()
endif()

set(CHUHE_TORCH_CUDA FALSE)
if(CHUHE_TORCH_DIR)
  set(ChuheTorch_FOUND TRUE)
  _chuhe_torch_version(CHUHE_TORCH_VERSION ${CHUHE_TORCH_DIR})

  # Whether CUDA's part can be loaded is the dynamic linker's decision, so it is asked.
  set(_chuhe_torch_note "CPU only")
  if(NOT CHUHE_WITH_CUDA)
    set(_chuhe_torch_note "CPU only: CHUHE_WITH_CUDA is OFF")
  elseif(NOT EXISTS ${CHUHE_TORCH_DIR}/lib/libtorch_cuda.so)
    set(_chuhe_torch_note "CPU only: this LibTorch has no CUDA part")
  else()
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=${CHUHE_CUDA_LIBRARY_DIR}:$ENV{LD_LIBRARY_PATH}" LC_ALL=C
              ldd ${CHUHE_TORCH_DIR}/lib/libtorch_cuda.so
      OUTPUT_VARIABLE _chuhe_torch_ldd ERROR_QUIET RESULT_VARIABLE _chuhe_torch_rc)
    string(REGEX MATCHALL "[^ \t\n]+ => not found" _chuhe_torch_missing "${_chuhe_torch_ldd}")
    string(REPLACE " => not found" "" _chuhe_torch_missing "${_chuhe_torch_missing}")
    list(REMOVE_DUPLICATES _chuhe_torch_missing)
    # Without a toolkit, the headers that c10/cuda includes come with NVIDIA's wheels beside torch.
    set(_chuhe_torch_cuda_headers ${CHUHE_TORCH_DIR}/../nvidia/cu13/include)
    if(_chuhe_torch_missing OR NOT _chuhe_torch_rc EQUAL 0)
      string(REPLACE ";" ", " _chuhe_torch_missing "${_chuhe_torch_missing}")
      set(_chuhe_torch_note "CPU only: not found for its CUDA part: ${_chuhe_torch_missing}")
    elseif(NOT CHUHE_CUDA AND NOT EXISTS ${_chuhe_torch_cuda_headers}/cuda_runtime_api.h)
      set(_chuhe_torch_note "CPU only: no CUDA headers, neither a toolkit's nor in ${_chuhe_torch_cuda_headers}")
    else()
      set(CHUHE_TORCH_CUDA TRUE)
      set(_chuhe_torch_note "with CUDA")
    endif()
  endif()

  # Not -isystem: the wheel carries its own {fmt} 12, whose headers must not shadow the fmt that Chuhe and spdlog link.
  set(_chuhe_torch_flags
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-idirafter ${CHUHE_TORCH_DIR}/include/torch/csrc/api/include>"
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-idirafter ${CHUHE_TORCH_DIR}/include>")

  foreach(_chuhe_torch_lib torch_cpu c10)
    if(EXISTS ${CHUHE_TORCH_DIR}/lib/lib${_chuhe_torch_lib}.so AND NOT TARGET chuhe::lib_${_chuhe_torch_lib})
      add_library(chuhe::lib_${_chuhe_torch_lib} SHARED IMPORTED)
      set_target_properties(chuhe::lib_${_chuhe_torch_lib} PROPERTIES
        IMPORTED_LOCATION ${CHUHE_TORCH_DIR}/lib/lib${_chuhe_torch_lib}.so)
    endif()
  endforeach()

  if(NOT TARGET chuhe::torch)
    add_library(chuhe::torch INTERFACE IMPORTED)
    set_target_properties(chuhe::torch PROPERTIES
      INTERFACE_COMPILE_OPTIONS "${_chuhe_torch_flags}"
      INTERFACE_COMPILE_DEFINITIONS "USE_DISTRIBUTED;USE_C10D_GLOO"
      INTERFACE_LINK_LIBRARIES "chuhe::lib_torch_cpu;chuhe::lib_c10")
    # DT_RPATH, not DT_RUNPATH: only the former is also searched for what LibTorch itself needs (the toolkit's libraries).
    set_property(TARGET chuhe::torch APPEND PROPERTY INTERFACE_LINK_OPTIONS
      "-Wl,--disable-new-dtags" "$<$<BOOL:${CHUHE_CUDA_LIBRARY_DIR}>:-Wl,-rpath,${CHUHE_CUDA_LIBRARY_DIR}>")
    if(CHUHE_TORCH_CUDA)
      if(CHUHE_CUDA)
        set_property(TARGET chuhe::torch APPEND PROPERTY INTERFACE_LINK_LIBRARIES CUDA::cudart)
      else()
        set_property(TARGET chuhe::torch APPEND PROPERTY
          INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-idirafter ${_chuhe_torch_cuda_headers}>")
      endif()
      # Nothing refers to a symbol of torch_cuda: its static initialisers register the device. Without --no-as-needed the
      # linker drops it and torch sees no GPU.
      add_library(chuhe::torch_cuda INTERFACE IMPORTED)
      # One item, so that CMake cannot reorder its parts.
      string(CONCAT _chuhe_torch_cuda_libs
        "-Wl,--push-state,--no-as-needed,${CHUHE_TORCH_DIR}/lib/libtorch_cuda.so,"
        "${CHUHE_TORCH_DIR}/lib/libc10_cuda.so,--pop-state")
      set_target_properties(chuhe::torch_cuda PROPERTIES INTERFACE_LINK_LIBRARIES "${_chuhe_torch_cuda_libs}")
      set_property(TARGET chuhe::torch APPEND PROPERTY INTERFACE_LINK_LIBRARIES chuhe::torch_cuda)
      set_property(TARGET chuhe::torch APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS USE_C10D_NCCL)
    endif()
  endif()
  message(STATUS "LibTorch ${CHUHE_TORCH_VERSION} (${_chuhe_torch_note}) from ${_chuhe_torch_from}: ${CHUHE_TORCH_DIR}")
elseif(ChuheTorch_FIND_REQUIRED)
  message(FATAL_ERROR "LibTorch ${_chuhe_torch_wanted} not found: run scripts/setup, set CHUHE_TORCH=DIR (an unpacked libtorch or a "
                      "site-packages/torch), or build without it (preset no-torch, or -DCHUHE_WITH_TORCH=OFF)")
endif()
