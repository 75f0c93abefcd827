// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: conversion from 'int' to non-scalar type | no viable conversion from 'int'
#include <zkgpu/curve/bls12_381.hpp>

int main() {
  const zkgpu::Bls12_381::Fr said(5);
  static_cast<void>(said);
#ifdef OFFENCE
  const zkgpu::Bls12_381::Fr meant = 5;
  static_cast<void>(meant);
#endif
}
