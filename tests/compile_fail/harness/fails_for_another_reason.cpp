// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: the reason that was promised
int main() {
#ifdef OFFENCE
  static_assert(sizeof(char) == 2, "some other reason");
#endif
}
