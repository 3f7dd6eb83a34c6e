import { expect, test } from 'vitest';
import { certificateAuthority } from './authority.ts';
import { keptSigner } from './kept-signer.ts';

test('creates the signer once, as an authority, and returns the same one later', async () => {
  let kept: string | undefined;
  const secret = async (name: string, make: () => Promise<Uint8Array>): Promise<string> => {
    expect(name).toBe('signer');
    return (kept ??= Buffer.from(await make()).toString());
  };
  const first = await keptSigner(secret, new Date(0));
  expect(() => certificateAuthority(first)).not.toThrow();
  expect(await keptSigner(secret, new Date(0))).toEqual(first);
  expect(Buffer.byteLength(kept ?? ''), 'KMS encrypts no more at once').toBeLessThan(4096);
});
