import { encode } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { query } from '../testing.ts';
import { asAsked, isReply } from './is-reply.ts';

const asked = query('Example.com', 'A');
const reply = (more: Parameters<typeof encode>[0] = {}): Buffer =>
  encode({
    type: 'response',
    id: 7,
    questions: [{ name: 'Example.com', type: 'A' }],
    answers: [{ type: 'A', name: 'Example.com', ttl: 9, data: '192.0.2.9' }],
    ...more,
  });
const changed = (at: number, ...bytes: number[]): Buffer => {
  const copy = reply();
  copy.set(bytes, at);
  return copy;
};

describe('isReply', () => {
  test.each<[why: string, message: Uint8Array, expected: boolean]>([
    ['the same question', reply(), true],
    ['the question in other letters', reply({ questions: [{ name: 'eXAMPLE.COM', type: 'A' }] }), true],
    ['another identifier', reply({ id: 8 }), false],
    ['another name', reply({ questions: [{ name: 'Example.org', type: 'A' }] }), false],
    ['another type', reply({ questions: [{ name: 'Example.com', type: 'AAAA' }] }), false],
    ['a query', asked, false],
    ['another opcode', changed(2, 0xa0), false],
    ['two questions', changed(4, 0, 2), false],
    ['no question, with records', changed(4, 0, 0), false],
    ['no question, no records, and a failure', Buffer.from([0, 7, 0x80, 5, 0, 0, 0, 0, 0, 0, 0, 0]), true],
    ['no question, no records, and no failure', Buffer.from([0, 7, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0]), false],
    ['more records than there are', changed(6, 0xff, 0xff), false],
    ['a record that is longer than the message', reply().subarray(0, -1), false],
    ['a record whose name points at itself', changed(29, 0xc0, 29), false],
    ['a record whose name points ahead', changed(29, 0xc0, 31), false],
    ['nothing', new Uint8Array(), false],
  ])('checks a message with %s: %#', (_, message, expected) => {
    expect(isReply(asked, message)).toBe(expected);
  });

  test('accepts a reply that was truncated within its records', () => {
    expect(isReply(asked, changed(2, 0x82).subarray(0, 40))).toBe(true);
  });

  test('never throws for random bytes', () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 48_271) % 0x7fffffff);
    for (let i = 0; i < 5000; i++) {
      const copy = reply();
      for (let j = 0; j < 3; j++) copy[random() % copy.length] = random() % 256;
      expect(isReply(asked, copy.subarray(0, random() % (copy.length + 1)))).toBeTypeOf('boolean');
    }
  });
});

test('restores the identifier and the letter case of the question', () => {
  const own = query('eXample.COM', 'A', { id: 99 });
  const given = asAsked(own, reply());
  expect([...given.subarray(0, 2), ...given.subarray(12, 29)]).toEqual([
    ...own.subarray(0, 2),
    ...own.subarray(12, 29),
  ]);
});
