import { expect, test } from 'vitest';
import { rememberedIn } from './remembered.ts';

const set = (name: string, ...elem: unknown[]): object => ({ set: { family: 'ip', name, table: 't', elem } });
const timed = (val: unknown, expires: unknown): object => ({ elem: { val, expires } });

test('remembers expiring keys with their remaining time', () => {
  const printed = JSON.stringify({
    nftables: [
      { metainfo: { version: '1.0.6' } },
      set('affinity-a', timed('10.0.0.1', 99), timed('fd00::1', 7)),
      set('cluster-ips', '10.96.0.1'),
      set('hairpin-connections', { concat: ['10.0.0.1', '10.0.0.1', 'tcp', 80] }),
      set('strange', timed('flush ruleset', 99), timed('10.0.0.3', 'soon'), timed('10.0.0.4', 0)),
      { set: { family: 'ip', name: 'empty', table: 't' } },
    ],
  });
  expect([...rememberedIn(printed)]).toEqual([['affinity-a', ['10.0.0.1 expires 99s', 'fd00::1 expires 7s']]]);
});

test('remembers nothing for a missing table', () => {
  expect(rememberedIn('{}').size).toBe(0);
});
