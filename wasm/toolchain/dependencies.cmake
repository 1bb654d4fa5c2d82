# nlohmann_json, fmt and GoogleTest: from the system if they are installed, otherwise downloaded and
# checked by hash.
#
# Header folders are linked one by one into the build tree, so that no search path contains a
# system's other headers: Emscripten has its own.

include(FetchContent)
if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW)
endif()

set(STOWAGE_PREFIXES ${PROJECT_SOURCE_DIR}/.toolchain/packages/usr /usr /usr/local /opt/homebrew
  CACHE STRING "Where installed dependencies are looked for")
set(STOWAGE_STAGED ${PROJECT_BINARY_DIR}/headers)

FetchContent_Declare(stowage_fetched_json
  URL https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  URL_HASH SHA256=d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d
  SOURCE_SUBDIR not-built)
FetchContent_Declare(stowage_fetched_fmt
  URL https://github.com/fmtlib/fmt/releases/download/11.1.4/fmt-11.1.4.zip
  URL_HASH SHA256=49b039601196e1a765e81c5c9a05a61ed3d33f23b3961323d7322e4fe213d3e6
  SOURCE_SUBDIR not-built)
FetchContent_Declare(stowage_fetched_googletest
  URL https://github.com/google/googletest/releases/download/v1.16.0/googletest-1.16.0.tar.gz
  URL_HASH SHA256=78c676fc63881529bf97bf9d45948d905a66833fbfa5318ea2cd7478cb98f399
  SOURCE_SUBDIR not-built)

# Sets `out` to the number that `macro` has in the first of the files that defines it, or 0.
function(stowage_read_macro out macro)
  set(${out} 0 PARENT_SCOPE)
  foreach(file IN LISTS ARGN)
    if(EXISTS ${file})
      file(STRINGS ${file} line REGEX "#[ \t]*define[ \t]+${macro}[ \t]+[0-9]+" LIMIT_COUNT 1)
      if(line MATCHES "${macro}[ \t]+([0-9]+)")
        set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# Sets `out` to 1 if the headers below `root` are new enough.
function(stowage_accept_json out root)
  set(files ${root}/nlohmann/detail/abi_macros.hpp ${root}/nlohmann/json.hpp)
  stowage_read_macro(major NLOHMANN_JSON_VERSION_MAJOR ${files})
  stowage_read_macro(minor NLOHMANN_JSON_VERSION_MINOR ${files})
  math(EXPR number "${major} * 100 + ${minor}")
  set(${out} 0 PARENT_SCOPE)
  if(number GREATER_EQUAL 311)
    set(${out} 1 PARENT_SCOPE)
  endif()
endfunction()

function(stowage_accept_fmt out root)
  stowage_read_macro(number FMT_VERSION ${root}/fmt/base.h ${root}/fmt/core.h)
  set(${out} 0 PARENT_SCOPE)
  # Installed headers lack fmt's sources; fmt_library.cc replaces those of versions 9 and 10.
  if(number GREATER_EQUAL 90000 AND number LESS 110000)
    set(${out} 1 PARENT_SCOPE)
  endif()
endfunction()

# Adds the interface target stowage_<name>, whose search path contains the folder `folder` and
# nothing else.
function(stowage_add_headers name folder)
  set(source "")
  foreach(prefix IN LISTS STOWAGE_PREFIXES)
    if(NOT source AND EXISTS ${prefix}/include/${folder})
      cmake_language(CALL stowage_accept_${name} accepted ${prefix}/include)
      if(accepted)
        set(source ${prefix}/include/${folder})
      endif()
    endif()
  endforeach()
  if(NOT source)
    FetchContent_MakeAvailable(stowage_fetched_${name})
    set(source ${stowage_fetched_${name}_SOURCE_DIR}/include/${folder})
  endif()
  message(STATUS "stowage: ${name} from ${source}")
  file(MAKE_DIRECTORY ${STOWAGE_STAGED}/${name})
  file(CREATE_LINK ${source} ${STOWAGE_STAGED}/${name}/${folder} SYMBOLIC)
  add_library(stowage_${name} INTERFACE)
  target_include_directories(stowage_${name} SYSTEM INTERFACE ${STOWAGE_STAGED}/${name})
endfunction()

stowage_add_headers(json nlohmann)
target_compile_definitions(stowage_json INTERFACE
  JSON_NOEXCEPTION JSON_NO_IO JSON_USE_IMPLICIT_CONVERSIONS=0)

# Without its locale support, fmt does not pull in libc++'s, which would be a third of a small
# module. The second name is read from fmt 11 on.
stowage_add_headers(fmt fmt)
target_compile_definitions(stowage_fmt INTERFACE
  FMT_STATIC_THOUSANDS_SEPARATOR=',' FMT_USE_LOCALE=0)
# No code here formats these types, and fmt adds code for each.
target_compile_definitions(stowage_fmt INTERFACE
  FMT_USE_FLOAT=0 FMT_USE_LONG_DOUBLE=0 FMT_USE_INT128=0)
# Clang 20 and newer reject fmt 10's consteval functions, so its formats are checked at run time.
stowage_read_macro(fmt_version FMT_VERSION
  ${STOWAGE_STAGED}/fmt/fmt/base.h ${STOWAGE_STAGED}/fmt/fmt/core.h)
if(fmt_version GREATER_EQUAL 100000 AND fmt_version LESS 110000)
  target_compile_definitions(stowage_fmt INTERFACE FMT_CONSTEVAL=)
endif()

# Compiled once: header-only fmt costs seconds in every file that formats.
set(fmt_source ${CMAKE_CURRENT_LIST_DIR}/fmt_library.cc)
if(stowage_fetched_fmt_SOURCE_DIR)
  set(fmt_source ${stowage_fetched_fmt_SOURCE_DIR}/src/format.cc)
endif()
add_library(stowage_fmt_library STATIC ${fmt_source})
target_link_libraries(stowage_fmt_library PRIVATE stowage_fmt)
target_compile_options(stowage_fmt_library PRIVATE -fno-exceptions -fno-rtti -ffp-contract=off)
if(EMSCRIPTEN)
  target_compile_options(stowage_fmt_library PRIVATE -Oz -flto)
endif()
target_link_libraries(stowage_fmt INTERFACE $<LINK_ONLY:stowage_fmt_library>)

# Sets `out` to the version of fmt, such as 9.1.0.
function(stowage_version_of_fmt out)
  math(EXPR major "${fmt_version} / 10000")
  math(EXPR minor "${fmt_version} / 100 % 100")
  math(EXPR patch "${fmt_version} % 100")
  set(${out} ${major}.${minor}.${patch} PARENT_SCOPE)
endfunction()

# Sets `out` to the version of nlohmann_json, such as 3.11.2.
function(stowage_version_of_json out)
  set(folder ${STOWAGE_STAGED}/json/nlohmann)
  foreach(part MAJOR MINOR PATCH)
    stowage_read_macro(${part} NLOHMANN_JSON_VERSION_${part}
      ${folder}/detail/abi_macros.hpp ${folder}/json.hpp)
  endforeach()
  set(${out} ${MAJOR}.${MINOR}.${PATCH} PARENT_SCOPE)
endfunction()

# GoogleTest, compiled here with the flags of the tests.
function(stowage_add_gtest)
  set(source "")
  foreach(prefix IN LISTS STOWAGE_PREFIXES)
    if(NOT source AND EXISTS ${prefix}/src/googletest/googletest/src/gtest-all.cc)
      set(source ${prefix}/src/googletest/googletest)
    endif()
  endforeach()
  if(NOT source)
    FetchContent_MakeAvailable(stowage_fetched_googletest)
    set(source ${stowage_fetched_googletest_SOURCE_DIR}/googletest)
  endif()
  message(STATUS "stowage: googletest from ${source}")
  add_library(stowage_gtest STATIC EXCLUDE_FROM_ALL
    ${source}/src/gtest-all.cc ${source}/src/gtest_main.cc)
  target_include_directories(stowage_gtest PRIVATE ${source})
  target_include_directories(stowage_gtest SYSTEM PUBLIC ${source}/include)
  target_compile_options(stowage_gtest PRIVATE -fno-exceptions -fno-rtti -O1)
  target_compile_definitions(stowage_gtest PUBLIC
    GTEST_HAS_EXCEPTIONS=0 GTEST_HAS_RTTI=0 GTEST_HAS_PTHREAD=0)
endfunction()

if(STOWAGE_TESTS)
  stowage_add_gtest()
endif()
