// What Swift's Glibc module lacks: Linux's own event descriptors. Constants that are macros with casts are repeated as typed
// constants, since Swift does not import such macros.
#pragma once
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <pthread.h>
#include <signal.h>

static const int reveille_EFD_CLOEXEC = EFD_CLOEXEC;
static const int reveille_EFD_NONBLOCK = EFD_NONBLOCK;
static const int reveille_TFD_CLOEXEC = TFD_CLOEXEC;
static const int reveille_TFD_NONBLOCK = TFD_NONBLOCK;
static const int reveille_TFD_TIMER_ABSTIME = TFD_TIMER_ABSTIME;
static const int reveille_TFD_TIMER_CANCEL_ON_SET = TFD_TIMER_CANCEL_ON_SET;
static const int reveille_EPOLL_CLOEXEC = EPOLL_CLOEXEC;
static const uint32_t reveille_EPOLLIN = EPOLLIN;
static const int reveille_SFD_CLOEXEC = SFD_CLOEXEC;
static const int reveille_SFD_NONBLOCK = SFD_NONBLOCK;

// pthread_setname_np is hidden behind _GNU_SOURCE.
void reveille_set_thread_name(const char *name);
