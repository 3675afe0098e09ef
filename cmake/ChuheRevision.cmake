# Included: chuhe_revision_source(VAR) makes a source that defines chuhe::kBuildRevision and is checked at each build.
# Run as `cmake -DSOURCE=... -DOUTPUT=... -P`: writes it, only if the revision has changed, so that nothing else is rebuilt.

if(CMAKE_SCRIPT_MODE_FILE)
  # safe.directory: a container often builds a tree that another user owns.
  set(git git -c safe.directory=* -C ${SOURCE})
  set(revision "unknown")
  execute_process(COMMAND ${git} rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE out OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE rc)
  if(rc EQUAL 0)
    set(revision ${out})
    execute_process(COMMAND ${git} --no-optional-locks status --porcelain --untracked-files=no
                    OUTPUT_VARIABLE out ERROR_QUIET RESULT_VARIABLE rc)
    if(out)
      string(APPEND revision "-dirty")
    endif()
  endif()
  set(text "namespace chuhe {\nextern const char* const kBuildRevision;\nconst char* const kBuildRevision = \"${revision}\";\n}  // namespace chuhe\n")
  set(old "")
  if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} old)
  endif()
  if(NOT old STREQUAL text)
    file(WRITE ${OUTPUT} "${text}")
  endif()
  return()
endif()

set(CHUHE_REVISION_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(chuhe_revision_source out)
  set(file ${CMAKE_BINARY_DIR}/generated/revision.cpp)
  add_custom_target(revision
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${file} -P ${CHUHE_REVISION_SCRIPT}
    BYPRODUCTS ${file} COMMENT "" VERBATIM)
  set(${out} ${file} PARENT_SCOPE)
endfunction()
