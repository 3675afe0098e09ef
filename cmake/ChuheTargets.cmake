# The ways to make a target in this project. Flags belong to targets; sources are listed, never globbed.

function(chuhe_flags target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  # FMA contraction would make float results differ between compilers and CPUs (docs/architecture.md, determinism).
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wno-unused-parameter -Werror -ffp-contract=off>)
  # nvcc takes its own flags only; the host compiler's go through -Xcompiler, and without -Werror: the code that nvcc
  # generates around kernels is not ours to fix.
  if(CHUHE_CUDA)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -Xcompiler=-Wall -Xcompiler=-ffp-contract=off>)
  endif()
  if(CHUHE_DCHECKS)
    # Public: CHUHE_DCHECK in a header must mean the same in every file that includes it.
    target_compile_definitions(${target} PUBLIC CHUHE_DCHECKS _GLIBCXX_ASSERTIONS)
  endif()
  if(CHUHE_SANITIZE)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${CHUHE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
    target_link_options(${target} PUBLIC -fsanitize=${CHUHE_SANITIZE})
    if(CHUHE_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-tsan>)  # fences are not modelled
    endif()
  endif()
endfunction()

# chuhe_library(name SOURCES a.cpp ... DEPS other ...): a static library; without sources, an interface one.
function(chuhe_library name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS" ${ARGN})
  if(A_SOURCES)
    add_library(${name} STATIC ${A_SOURCES})
    chuhe_flags(${name})
    target_link_libraries(${name} PUBLIC ${A_DEPS})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${A_DEPS})
  endif()
endfunction()

# chuhe_program(name SOURCES ... DEPS ...): an executable in bin/.
function(chuhe_program name)
  cmake_parse_arguments(A "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  chuhe_flags(${name})
  target_link_libraries(${name} PRIVATE ${A_DEPS})
endfunction()

# chuhe_test(name SOURCES ... DEPS ... [LABELS ...] [TIMEOUT seconds]): a GoogleTest program, run as one ctest test.
# GTEST_SKIP in every case of it makes the ctest test "skipped" (tests/support/test_main.cpp).
function(chuhe_test name)
  cmake_parse_arguments(A "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 300)
  endif()
  chuhe_program(${name} SOURCES ${A_SOURCES} DEPS ${A_DEPS} GTest::gmock test_main test_paths)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${A_TIMEOUT} LABELS "${A_LABELS}" SKIP_RETURN_CODE 77)
endfunction()

# chuhe_command_test(name STATUS n EXPECTED regex COMMAND program arguments.. [TIMEOUT seconds]): a program from outside, by
# tests/support/expect. Not PASS_REGULAR_EXPRESSION: with that ctest does not look at the exit status.
function(chuhe_command_test name)
  cmake_parse_arguments(A "" "STATUS;EXPECTED;TIMEOUT" "COMMAND" ${ARGN})
  if(NOT A_STATUS MATCHES "^[0-9]+$")
    message(FATAL_ERROR "test ${name}: exit status '${A_STATUS}', expected a number")
  endif()
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 60)
  endif()
  list(POP_FRONT A_COMMAND program)
  add_test(NAME ${name}
    COMMAND ${CMAKE_SOURCE_DIR}/tests/support/expect ${A_STATUS} "${A_EXPECTED}" $<TARGET_FILE:${program}> ${A_COMMAND})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${A_TIMEOUT})
endfunction()
