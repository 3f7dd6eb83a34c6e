import type { Outline, Proposal, Version } from './sequence.ts';
import { stampedVersion } from './stamp.ts';

/** A summary of a change, which stands beside its body. */
export const SUMMARY = { labels: { app: 'web' }, fields: { 'spec.x': 'y' }, generation: 1, ownerReferences: [] };

/** A stored body that is this many bytes long when it carries `version`. */
export function bodyOf(
  version: Version,
  { length = 0, note = '' }: { length?: number; note?: string } = {},
): Uint8Array {
  const head = `{"kind":"Thing","metadata":{"resourceVersion":"${version}","name":"x"},"note":"${note}`;
  return Buffer.from(`${head}${'x'.repeat(Math.max(0, length - head.length - 2))}"}`);
}

/** Makes outlines of things whose name begins with `tall`, for backends that keep bodies apart. */
export const tallOutline: Outline = (key, body) =>
  key.includes('/tall') ? bodyOf(stampedVersion(body), { note: 'outline' }) : undefined;

export const proposal = (name: string, over: Partial<Proposal> = {}): Proposal => ({
  key: `main//things/default/${name}`,
  type: 'ADDED',
  body: bodyOf(0, { note: name }),
  ...SUMMARY,
  ...over,
});

/** `name@version`, with `-` before what is deleted. */
export const brief = (changes: readonly { key: string; version: Version; type?: string }[]): string[] =>
  changes.map(({ key, version, type }) => `${type === 'DELETED' ? '-' : ''}${key.split('/').at(-1)}@${version}`);
