# Included: chuhe_plugin_build_source(VAR) makes a source that defines chuhe::nn::kPluginBuild (nn/api/torch_plugin.h) and is checked at
# each build. Run as `cmake -DSOURCE=... -DVERSION=... -DOUTPUT=... -P`: writes it, only if it has changed, so that nothing else is rebuilt.
# Not the revision: each commit would link every program anew, and uncommitted changes would not show.

if(CMAKE_SCRIPT_MODE_FILE)
  # All that libchuhe_torch.so and the headers that it shares with the program are made from.
  set(sources "")
  foreach(folder base xiangqi shards nn trainer)
    file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/${folder}/*.h ${SOURCE}/${folder}/*.cpp ${SOURCE}/${folder}/*.cu)
    list(APPEND sources ${files})
  endforeach()
  list(SORT sources)
  set(digests "")
  foreach(file ${sources})
    file(SHA256 ${SOURCE}/${file} digest)
    string(APPEND digests "${file} ${digest}\n")
  endforeach()
  string(SHA256 digest "${digests}")
  string(SUBSTRING ${digest} 0 12 digest)
  set(text "#include \"nn/api/torch_plugin.h\"\n\nnamespace chuhe::nn {\nconst char* const kPluginBuild = \"${VERSION}-${digest}\";\n}  // namespace chuhe::nn\n")
  set(old "")
  if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} old)
  endif()
  if(NOT old STREQUAL text)
    file(WRITE ${OUTPUT} "${text}")
  endif()
  return()
endif()

set(CHUHE_PLUGIN_BUILD_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(chuhe_plugin_build_source out)
  set(file ${CMAKE_BINARY_DIR}/generated/plugin_build.cpp)
  add_custom_target(plugin_build_source
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${file} -P ${CHUHE_PLUGIN_BUILD_SCRIPT}
    BYPRODUCTS ${file} COMMENT "" VERBATIM)
  set(${out} ${file} PARENT_SCOPE)
endfunction()
