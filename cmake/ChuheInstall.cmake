# `cmake --install BUILD --prefix DIR`: bin/chuhe, lib/libchuhe_torch.so, configs/. The tree may be moved; LibTorch is looked for
# in lib/torch/lib (a copy or a link of the torch folder), then where it was at build time.

if(TARGET chuhe_torch)
  # Not INSTALL_RPATH_USE_LINK_PATH: it leaves out what lies in the source tree, as .venv does.
  set_target_properties(chuhe_torch PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/torch/lib;${CHUHE_TORCH_DIR}/lib")
endif()
foreach(_chuhe_target chuhe chuhe_torch)
  if(TARGET ${_chuhe_target})
    install(TARGETS ${_chuhe_target} RUNTIME DESTINATION bin LIBRARY DESTINATION lib)
  endif()
endforeach()
install(DIRECTORY configs/ DESTINATION configs)
