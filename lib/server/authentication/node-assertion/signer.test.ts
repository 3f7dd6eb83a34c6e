import { beforeAll, expect, test } from 'vitest';
import { authorityOf } from '#lib/controllers/certificates/issue.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { parseJwt } from '../jwt.ts';
import { aClock, START } from '../testing/world.ts';
import type { NodeKeyPair } from './sign.ts';
import { AssertionSigner } from './signer.ts';

const REQUEST = { method: 'GET', path: '/api', query: new URLSearchParams(), body: new Uint8Array() };
const HOUR = 3_600_000;
let pairs: readonly NodeKeyPair[];
beforeAll(async () => {
  const authority = authorityOf(await newSigner(new Date(START)), new Date(START));
  const subject = { name: 'system:node:n1', organizations: ['system:nodes'] };
  pairs = [await authority.issue(subject), await authority.issue(subject)];
});

function aSigner() {
  const clock = aClock();
  let at = 0;
  const pair = (): NodeKeyPair => pairs[at] ?? { certificate: '', key: '' };
  const signer = new AssertionSigner({ url: 'https://API.example.com/', clock, pair });
  const signed = () => parseJwt(signer.headers(REQUEST).authorization?.slice('Bearer '.length) ?? '');
  return { clock, signer, signed, rotate: () => void at++ };
}

test('signs no request until the server requests assertions', () => {
  const { signer } = aSigner();
  expect(signer.heard({ date: new Date(START).toUTCString() })).toBe(false);
  expect(signer.headers(REQUEST)).toEqual({});
});

test('uses the server’s time, however wrong the machine’s clock is', () => {
  const { clock, signer, signed } = aSigner();
  const there = START + 24 * HOUR;
  expect(signer.heard({ 'davit-node-realm': 'prod', date: new Date(there).toUTCString() })).toBe(true);
  clock.advance(2000);
  expect(signed()?.claims).toMatchObject({
    aud: ['prod', 'api.example.com'],
    iat: there / 1000 + 2,
    exp: there / 1000 + 62,
  });
  expect(signer.heard({ date: new Date(there + HOUR).toUTCString() }), 'an answer that asks for nothing').toBe(false);
  expect(signed()?.claims).toMatchObject({ iat: (there + HOUR) / 1000 });
});

test('uses the machine’s time if the server sends none', () => {
  const { signer, signed } = aSigner();
  expect(signer.heard({ 'davit-node-realm': 'prod' })).toBe(true);
  expect(signed()?.claims).toMatchObject({ iat: START / 1000 });
});

test('signs with a rotated certificate', () => {
  const { signer, signed, rotate } = aSigner();
  signer.heard({ 'davit-node-realm': 'prod' });
  const before = signed()?.header;
  rotate();
  expect(signed()?.header).not.toEqual(before);
});
