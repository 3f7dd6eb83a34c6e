import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { podOf } from '../testing/decoded-pod.ts';
import { SysctlAllowlist } from './allowlist.ts';
import { safeSysctls } from './safe-sysctls.ts';

const allowlist = new SysctlAllowlist([...safeSysctls('6.1.0'), 'kernel.msg*', 'kernel.sem', 'net.b.*']);

const admit = (name: string, spec: JsonObject = {}) =>
  allowlist.admit(podOf({ ...spec, securityContext: { sysctls: [{ name, value: '1' }] } }));

test.each([
  'kernel.shm_rmid_forced',
  'kernel/shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'kernel.msgmax',
  'kernel.sem',
  'kernel/sem',
  'net.b.c',
])('admits a pod with %s', async (name) => {
  expect(await admit(name)).toEqual({ admit: true });
});

test.each<[string, JsonObject, string]>([
  ['kernel.shm_rmid_forced', { hostIPC: true }, '"kernel.shm_rmid_forced" not allowed with host IPC enabled'],
  ['kernel.msgmax', { hostIPC: true }, '"kernel.msgmax" not allowed with host IPC enabled'],
  ['net.ipv4.tcp_rmem', { hostNetwork: true }, '"net.ipv4.tcp_rmem" not allowed with host Net enabled'],
  ['net.b.c', { hostNetwork: true }, '"net.b.c" not allowed with host Net enabled'],
  ['foo', {}, '"foo" not allowlisted'],
  ['net/a/b.c', {}, '"net.a.b/c" not allowlisted'],
  ['net.a.b.c', {}, '"net.a.b.c" not allowlisted'],
  ['net.ipv4.ip_local_port_range.a.b.c', {}, '"net.ipv4.ip_local_port_range.a.b.c" not allowlisted'],
])('rejects %s with %j', async (name, spec, why) => {
  expect(await admit(name, spec)).toEqual({
    admit: false,
    reason: 'SysctlForbidden',
    message: `forbidden sysctl: ${why}`,
  });
});

test('admits a pod without sysctls', async () => {
  expect(await allowlist.admit(podOf({}))).toEqual({ admit: true });
});

test.each([[['kernel.msg*', 'kernel.sem']], [['kernel/msg*', 'kernel/sem']], [['fs.mqueue.*']], [['net.*']]])(
  'accepts the patterns %j',
  (patterns) => {
    expect(() => new SysctlAllowlist(patterns)).not.toThrow();
  },
);

test.each([
  [' kernel.msg*', 'must have at most 253 characters and match regex'],
  ['kernel.msg* ', 'must have at most 253 characters and match regex'],
  ['net.-', 'must have at most 253 characters and match regex'],
  ['net.*.foo', 'must have at most 253 characters and match regex'],
  ['net.*/foo', 'must have at most 253 characters and match regex'],
  [`net.${'a'.repeat(253)}`, 'must have at most 253 characters and match regex'],
  ['foo', 'the sysctls "foo" are not known to be namespaced'],
  ['foo*', 'the sysctls "foo" are not known to be namespaced'],
  ['*', 'the sysctls "" are not known to be namespaced'],
])('rejects the pattern %j', (pattern, message) => {
  expect(() => new SysctlAllowlist([pattern])).toThrow(message);
});

const FIRST = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];

test.each([
  ['', FIRST],
  ['3.15.0', FIRST],
  ['3.18.0-957.27.2.el7.x86_64', [...FIRST, 'net.ipv4.ip_local_reserved_ports']],
])('returns for kernel %j the safe sysctls %j', (version, names) => {
  expect(safeSysctls(version)).toEqual(names);
});

test.each([
  ['4.5', 9],
  ['4.6.1', 10],
  ['5.15.0-75-generic', 12],
])('returns for kernel %s %i safe sysctls', (version, count) => {
  expect(safeSysctls(version)).toHaveLength(count);
});
