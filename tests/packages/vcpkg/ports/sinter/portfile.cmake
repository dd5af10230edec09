# An overlay port: vcpkg install sinter --overlay-ports=tests/packages/vcpkg/ports; it packs the source tree that it stands in.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../../.." ABSOLUTE)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DSINTER_BUILD_TESTS=OFF -DSINTER_BUILD_EXAMPLES=OFF -DSINTER_BUILD_BENCH=OFF -DCMAKE_INSTALL_LIBDIR=lib)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sinter)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES sinter-config AUTO_CLEAN)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug" "${CURRENT_PACKAGES_DIR}/lib")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
