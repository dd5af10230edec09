# Runs the port without vcpkg, by stand-ins for its helpers that install into the folder PACKAGES:
# cmake -DPACKAGES=folder -P tests/packages/vcpkg/stand_ins.cmake
set(PORT sinter)
set(CURRENT_PACKAGES_DIR "${PACKAGES}")

function(vcpkg_cmake_configure)
    cmake_parse_arguments(given "" SOURCE_PATH OPTIONS ${ARGN})
    execute_process(COMMAND "${CMAKE_COMMAND}" -S "${given_SOURCE_PATH}" -B "${PACKAGES}-build" -G Ninja
                            "-DCMAKE_INSTALL_PREFIX=${PACKAGES}" ${given_OPTIONS} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_install)
    execute_process(COMMAND "${CMAKE_COMMAND}" --install "${PACKAGES}-build" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# As vcpkg's, into share/sinter, two folders below the prefix and not three.
function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(given "" CONFIG_PATH "" ${ARGN})
    file(GLOB files "${PACKAGES}/${given_CONFIG_PATH}/*")
    file(COPY ${files} DESTINATION "${PACKAGES}/share/${PORT}")
    set(targets "${PACKAGES}/share/${PORT}/sinterTargets.cmake")
    file(READ "${targets}" text)
    string(REPLACE [[get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)
get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)
get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)]]
                   [[get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)
get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)]] text "${text}")
    file(WRITE "${targets}" "${text}")
endfunction()

function(vcpkg_copy_tools)
    cmake_parse_arguments(given AUTO_CLEAN "" TOOL_NAMES ${ARGN})
    foreach(tool IN LISTS given_TOOL_NAMES)
        file(COPY "${PACKAGES}/bin/${tool}" DESTINATION "${PACKAGES}/tools/${PORT}")
    endforeach()
    file(REMOVE_RECURSE "${PACKAGES}/bin")
endfunction()

function(vcpkg_fixup_pkgconfig)
    if(NOT EXISTS "${PACKAGES}/share/pkgconfig/sinter.pc")
        message(FATAL_ERROR "there is no sinter.pc")
    endif()
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(given "" "" FILE_LIST ${ARGN})
    file(COPY_FILE "${given_FILE_LIST}" "${PACKAGES}/share/${PORT}/copyright")
endfunction()

include("${CMAKE_CURRENT_LIST_DIR}/ports/sinter/portfile.cmake")
