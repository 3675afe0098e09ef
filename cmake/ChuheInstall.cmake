# `cmake --install BUILD --prefix DIR`: bin/chuhe, lib/libchuhe_torch.so, configs/. The tree may be moved; LibTorch is looked for
# in lib/torch/lib (a copy or a link of the torch folder), then where it was at build time.

foreach(_chuhe_target chuhe chuhe_torch)
  if(TARGET ${_chuhe_target})
    install(TARGETS ${_chuhe_target} RUNTIME DESTINATION bin LIBRARY DESTINATION lib)
  endif()
endforeach()
install(DIRECTORY configs/ DESTINATION configs)
