// The types of LAPACK's functions; must not know what they are called for.
#pragma once

#include <cstddef>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// LAPACK's functions as Fortran passes their arguments; the lengths of characters come last.
struct lapack_types {
    using getrf = void(const int* m, const int* n, void* a, const int* lda, int* pivots, int* info);
    using getrs = void(const char* trans, const int* n, const int* nrhs, const void* a, const int* lda,
                       const int* pivots, void* b, const int* ldb, int* info, std::size_t);
    using gtsv = void(const int* n, const int* nrhs, void* lower, void* diagonal, void* upper, void* b, const int* ldb,
                      int* info);
    using getri = void(const int* n, void* a, const int* lda, const int* pivots, void* work, const int* lwork,
                       int* info);
    using trsm = void(const char* side, const char* uplo, const char* trans, const char* diag, const int* m,
                      const int* n, const void* alpha, const void* a, const int* lda, void* b, const int* ldb,
                      std::size_t, std::size_t, std::size_t, std::size_t);
    using potrf = void(const char* uplo, const int* n, void* a, const int* lda, int* info, std::size_t);
    using geqrf = void(const int* m, const int* n, void* a, const int* lda, void* tau, void* work, const int* lwork,
                       int* info);
    using orgqr = void(const int* m, const int* n, const int* k, void* a, const int* lda, const void* tau, void* work,
                       const int* lwork, int* info);
    using ormqr = void(const char* side, const char* trans, const int* m, const int* n, const int* k, const void* a,
                       const int* lda, const void* tau, void* c, const int* ldc, void* work, const int* lwork,
                       int* info, std::size_t, std::size_t);
    using syevd = void(const char* jobz, const char* uplo, const int* n, void* a, const int* lda, void* w, void* work,
                       const int* lwork, int* iwork, const int* liwork, int* info, std::size_t, std::size_t);
    using heevd = void(const char* jobz, const char* uplo, const int* n, void* a, const int* lda, void* w, void* work,
                       const int* lwork, void* rwork, const int* lrwork, int* iwork, const int* liwork, int* info,
                       std::size_t, std::size_t);
    using gesdd = void(const char* jobz, const int* m, const int* n, void* a, const int* lda, void* s, void* u,
                       const int* ldu, void* vt, const int* ldvt, void* work, const int* lwork, int* iwork, int* info,
                       std::size_t);
    using complex_gesdd = void(const char* jobz, const int* m, const int* n, void* a, const int* lda, void* s, void* u,
                               const int* ldu, void* vt, const int* ldvt, void* work, const int* lwork, void* rwork,
                               int* iwork, int* info, std::size_t);
    using geev = void(const char* jobvl, const char* jobvr, const int* n, void* a, const int* lda, void* wr, void* wi,
                      void* vl, const int* ldvl, void* vr, const int* ldvr, void* work, const int* lwork, int* info,
                      std::size_t, std::size_t);
    using complex_geev = void(const char* jobvl, const char* jobvr, const int* n, void* a, const int* lda, void* w,
                              void* vl, const int* ldvl, void* vr, const int* ldvr, void* work, const int* lwork,
                              void* rwork, int* info, std::size_t, std::size_t);
};

}  // namespace sinter::inline SINTER_ABI::runtime
