// SPDX-License-Identifier: GPL-3.0-or-later
// libcurl's options are set by variadic functions, which Swift cannot call.
#include <curl/curl.h>

static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *text) {
  return curl_easy_setopt(easy, option, text);
}

static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long number) {
  return curl_easy_setopt(easy, option, number);
}

static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, const struct curl_slist *list) {
  return curl_easy_setopt(easy, option, list);
}

typedef size_t ccurl_receive(char *bytes, size_t size, size_t count, void *owner);

/// Gives each line of the head to one function and the body to the other, with their owner.
static inline void ccurl_set_receivers(CURL *easy, ccurl_receive *head, ccurl_receive *body, void *owner) {
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, owner);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, owner);
}

/// How the transfer of a handle that has one ended; -1 while it has not.
static inline int ccurl_result(CURLM *multi) {
  int left = 0;
  CURLMsg *message = curl_multi_info_read(multi, &left);
  return message && message->msg == CURLMSG_DONE ? (int)message->data.result : -1;
}
