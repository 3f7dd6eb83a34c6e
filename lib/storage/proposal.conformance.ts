import type { Outline, Proposal, Version } from './sequence.ts';
import { stampedVersion } from './stamp.ts';

/** The summary of a change, stored next to its body. */
export const SUMMARY = { labels: { app: 'web' }, fields: { 'spec.x': 'y' }, generation: 1, ownerReferences: [] };

/** A body whose length is this many bytes when stored with `version`. */
export function bodyOf(
  version: Version,
  { length = 0, note = '' }: { length?: number; note?: string } = {},
): Uint8Array {
  const head = `{"kind":"Thing","metadata":{"resourceVersion":"${version}","name":"x"},"note":"${note}`;
  return Buffer.from(`${head}${'x'.repeat(Math.max(0, length - head.length - 2))}"}`);
}

/** Creates outlines of objects whose names begin with `tall`, for backends that store bodies separately. */
export const tallOutline: Outline = (key, body) =>
  key.includes('/tall') ? bodyOf(stampedVersion(body), { note: 'outline' }) : undefined;

export const proposal = (name: string, over: Partial<Proposal> = {}): Proposal => ({
  key: `main//things/default/${name}`,
  type: 'ADDED',
  body: bodyOf(0, { note: name }),
  ...SUMMARY,
  ...over,
});

/** Formats changes as `name@version`, with `-` before deletions. */
export const brief = (changes: readonly { key: string; version: Version; type?: string }[]): string[] =>
  changes.map(({ key, version, type }) => `${type === 'DELETED' ? '-' : ''}${key.split('/').at(-1)}@${version}`);
