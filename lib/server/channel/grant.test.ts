import { beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { type Grant, type GrantedAgent, GrantSigner, GrantVerifier } from './grant.ts';

const WANTED: Omit<Grant, 'expires'> = {
  verb: 'exec',
  podUID: 'u',
  container: 'app',
  user: 'jane',
  node: 'n1',
  host: 'n1',
  port: 10_250,
  stream: 7,
  session: 'first start',
};
const AGENT: GrantedAgent = { node: 'n1', session: 'first start' };

let clock: ManualClock;
let signer: GrantSigner;
let verifier: GrantVerifier;

/** Returns the server's time for a hello. Its clock differs from the agent's by years. */
const serverTime = (): number => clock.now();

beforeEach(() => {
  clock = new ManualClock();
  signer = new GrantSigner(clock);
  const host = { now: () => 0, monotonic: () => clock.monotonic(), sleep: () => Promise.resolve() };
  verifier = new GrantVerifier(AGENT, host);
  verifier.trust({ grantKey: signer.publicKey, time: serverTime() });
});

test('states the purpose of a stream', () => {
  expect(verifier.verify(signer.sign(WANTED), 7)).toEqual({ ...WANTED, expires: clock.now() + 60_000 });
});

test('is valid for a minute, whatever the host’s own clock shows', () => {
  const body = signer.sign(WANTED);
  clock.advance(59_999);
  expect(verifier.verify(body, 7).user).toBe('jane');
});

describe('a rejected stream', () => {
  const forged = (change: (payload: string) => string): object => {
    const [payload = '', signature = ''] = String(Object.values(signer.sign(WANTED) ?? {})[0]).split('.');
    const changed = change(Buffer.from(payload, 'base64url').toString());
    return { grant: `${Buffer.from(changed).toString('base64url')}.${signature}` };
  };

  test.each<[string, () => unknown, number, string]>([
    ['without a grant', () => ({ host: 'n1', port: 10_250 }), 7, 'the stream has no grant'],
    ['without a grant', () => null, 7, 'the stream has no grant'],
    ['with a grant beyond its bounds', () => ({ grant: 'x'.repeat(9000) }), 7, 'the stream has no grant'],
    ['with a grant of another node', () => signer.sign({ ...WANTED, node: 'n2' }), 7, 'the grant is for node "n2"'],
    ['with a grant of another stream', () => signer.sign(WANTED), 8, 'the grant is for another stream'],
    [
      'with another verb than was signed',
      () => forged((text) => text.replace('"exec"', '"proxy"')),
      7,
      'the grant is not signed by the server',
    ],
    [
      'with a longer life than was signed',
      () => forged((text) => text.replace(/"expires":\d+/, '"expires":9999999999999')),
      7,
      'the grant is not signed by the server',
    ],
    [
      'with a grant of another server',
      () => new GrantSigner(clock).sign(WANTED),
      7,
      'the grant is not signed by the server',
    ],
    ['with half a grant', () => ({ grant: 'e30' }), 7, 'the grant is not signed by the server'],
  ])('is rejected %s', (_, body, stream, why) => {
    expect(() => verifier.verify(structuredClone(body()) as never, stream)).toThrow(why);
  });

  test('is rejected with an expired grant', () => {
    const body = signer.sign(WANTED);
    clock.advance(60_000);
    expect(() => verifier.verify(body, 7)).toThrow('the grant has expired');
  });

  test('is rejected with a used grant, until the grant has expired', () => {
    const body = signer.sign(WANTED);
    verifier.verify(body, 7);
    expect(() => verifier.verify(body, 7)).toThrow('the grant was used before');
    clock.advance(60_000);
    expect(() => verifier.verify(body, 7)).toThrow('the grant has expired');
  });

  test("is rejected with a grant from before the agent's restart, used or not", () => {
    const body = signer.sign(WANTED);
    verifier.verify(body, 7);
    const unused = signer.sign({ ...WANTED, stream: 8 });
    const restarted = new GrantVerifier({ ...AGENT, session: 'second start' }, clock);
    restarted.trust({ grantKey: signer.publicKey, time: serverTime() });
    expect(() => restarted.verify(body, 7)).toThrow('the grant is for another session of the agent');
    expect(() => restarted.verify(unused, 8)).toThrow('the grant is for another session of the agent');
  });

  test('is rejected with a grant of a replaced server', () => {
    const body = signer.sign(WANTED);
    verifier.trust({ grantKey: new GrantSigner(clock).publicKey, time: serverTime() });
    expect(() => verifier.verify(body, 7)).toThrow('the grant is not signed by the server');
  });

  test("is rejected before the server's hello", () => {
    expect(() => new GrantVerifier(AGENT, clock).verify(signer.sign(WANTED), 7)).toThrow('the stream has no grant');
  });
});

test('rejects a key of another type', () => {
  expect(() => verifier.trust({ grantKey: 'AAAA', time: 0 })).toThrow();
});
