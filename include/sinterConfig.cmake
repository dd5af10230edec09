# What a project that uses sinter needs besides the headers: threads, and the CUDA toolkit's headers where they are.

# Sinter computes as IEEE 754 has it whatever options the project has; clang warns of -fno-fast-math behind -ffast-math.
set(SINTER_IEEE_OPTIONS -fno-unsafe-math-optimizations -fno-finite-math-only -fsigned-zeros -fno-associative-math -fno-reciprocal-math
                        -ffp-contract=off)
# Nothing replaces the library's functions at run time, so they may be inlined into each other.
set(SINTER_LIBRARY_OPTIONS -fno-semantic-interposition ${SINTER_IEEE_OPTIONS})

# The units that bodies are compiled in side by side: SINTER_UNITS, and of each a pattern and the most of -O.
set(SINTER_UNITS "")
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/sinter/units.def" sinter_lines REGEX "^SINTER_UNIT")
foreach(line IN LISTS sinter_lines)
    if(NOT line MATCHES "^SINTER_UNIT\\(([a-z_]+), ([0-9]), (.+)\\)$")
        message(FATAL_ERROR "[sinter] a line of units.def that is no unit: ${line}")
    endif()
    list(APPEND SINTER_UNITS "${CMAKE_MATCH_1}")
    set(SINTER_UNIT_${CMAKE_MATCH_1} "${CMAKE_MATCH_3}")
    set(SINTER_UNIT_LEVEL_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()
unset(sinter_lines)

function(sinter_unit_options folder)
    foreach(unit IN LISTS SINTER_UNITS)
        if(SINTER_UNIT_LEVEL_${unit} LESS 3)
            set_property(SOURCE "${folder}/${unit}.cpp" APPEND PROPERTY
                         COMPILE_OPTIONS $<$<CONFIG:Release>:-O${SINTER_UNIT_LEVEL_${unit}}>)
        endif()
    endforeach()
endfunction()

if(NOT TARGET sinter::header_only)
    include(CMakeFindDependencyMacro)
    find_dependency(Threads)
    include("${CMAKE_CURRENT_LIST_DIR}/sinterTargets.cmake")
    if(NOT TARGET sinter::sinter)
        # Not called sinter, which a project's own target may be.
        list(TRANSFORM SINTER_UNITS REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/compiled/\\1.cpp" OUTPUT_VARIABLE sinter_sources)
        sinter_unit_options("${CMAKE_CURRENT_LIST_DIR}/compiled")
        add_library(sinter_library STATIC EXCLUDE_FROM_ALL ${sinter_sources})
        unset(sinter_sources)
        add_library(sinter::sinter ALIAS sinter_library)
        target_compile_definitions(sinter_library PUBLIC SINTER_COMPILED)
        target_link_libraries(sinter_library PUBLIC sinter::header_only)
        target_compile_options(sinter_library PRIVATE ${SINTER_LIBRARY_OPTIONS})
        set_target_properties(sinter_library PROPERTIES OUTPUT_NAME sinter POSITION_INDEPENDENT_CODE ON)
    endif()
endif()

set(SINTER_CUDA_INCLUDE "" CACHE STRING "Folders of cuda.h, nvrtc.h and the CUDA libraries' headers; empty: looked for")
set(SINTER_CUDA_LIBRARY_PATH "" CACHE STRING "Folders, separated by colons, where the CUDA libraries are looked up first at run time")

set(sinter_cuda_include "")
set(sinter_cuda_library_path "${SINTER_CUDA_LIBRARY_PATH}")
if(NOT DEFINED SINTER_CUDA OR SINTER_CUDA)
    set(sinter_cuda_include "${SINTER_CUDA_INCLUDE}")
    if(NOT sinter_cuda_include)
        find_package(CUDAToolkit QUIET)
        find_path(SINTER_CUDA_HEADERS NAMES nvrtc.h
                  HINTS ${CUDAToolkit_INCLUDE_DIRS}
                  PATHS ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda /opt/cuda
                  PATH_SUFFIXES include)
        mark_as_advanced(SINTER_CUDA_HEADERS)
        if(SINTER_CUDA_HEADERS AND EXISTS "${SINTER_CUDA_HEADERS}/cuda.h")
            set(sinter_cuda_include "${SINTER_CUDA_HEADERS}")
            # The libraries beside the headers are of the same version.
            get_filename_component(sinter_cuda_root "${SINTER_CUDA_HEADERS}" DIRECTORY)
            if(NOT sinter_cuda_library_path AND EXISTS "${sinter_cuda_root}/lib64/libnvrtc.so")
                set(sinter_cuda_library_path "${sinter_cuda_root}/lib64")
            endif()
        endif()
    endif()
endif()

# Codegen must never see CUDA, so the folders belong to the runtime; aliases cannot be changed, so the real target is.
get_target_property(sinter_runtime_target sinter::runtime ALIASED_TARGET)
if(NOT sinter_runtime_target)
    set(sinter_runtime_target sinter::runtime)
endif()
if(sinter_cuda_include)
    list(GET sinter_cuda_include 0 sinter_cuda_root)
    message(STATUS "sinter: CUDA headers in ${sinter_cuda_root}")
    target_include_directories(${sinter_runtime_target} SYSTEM INTERFACE "$<BUILD_INTERFACE:${sinter_cuda_include}>")
else()
    message(STATUS "sinter: no CUDA headers, building for the CPU only")
    target_compile_definitions(${sinter_runtime_target} INTERFACE "$<BUILD_INTERFACE:SINTER_HAS_CUDA=0>")
endif()
if(sinter_cuda_include AND sinter_cuda_library_path)
    target_compile_definitions(${sinter_runtime_target} INTERFACE
        "$<BUILD_INTERFACE:SINTER_CUDA_LIBRARY_PATH=\"${sinter_cuda_library_path}\">")
endif()
unset(sinter_cuda_include)
unset(sinter_cuda_library_path)
unset(sinter_cuda_root)
unset(sinter_runtime_target)
