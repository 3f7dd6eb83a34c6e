import type { Sequence, Summary } from '../sequence.ts';
import type { Outcome, StoredObject } from '../storage.ts';

/** Builds the body of a test object with a name, a text and labels. */
export function aBody(name: string, text = '', labels: Record<string, string> = {}): Uint8Array {
  return Buffer.from(JSON.stringify({ metadata: { name, resourceVersion: '', labels }, text }));
}

/** The summary of a body made by these builders. */
export function summarize(body: Uint8Array): Summary {
  const { metadata, text } = parse(body);
  return { labels: metadata.labels, fields: { text }, generation: 1, ownerReferences: [] };
}

/** The text of an object with the version in its bytes. */
export function show(object: StoredObject | undefined): string | undefined {
  if (object === undefined) return undefined;
  const { metadata, text } = parse(object.body);
  return `${metadata.name}=${text}@${metadata.resourceVersion}`;
}

interface Parsed {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly labels: Record<string, string>;
  };
  readonly text: string;
}

/** The fields of a test's body. */
export const parse = (body: Uint8Array): Parsed => JSON.parse(Buffer.from(body).toString()) as Parsed;

const nameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** A mutation that writes a text, whatever the current one is. */
export const put =
  (key: string, text: string, labels?: Record<string, string>) =>
  (_current?: StoredObject): Outcome<string> => {
    const body = aBody(nameOf(key), text, labels);
    return { action: 'put', body, summary: summarize(body), result: text };
  };

/** A mutation that appends to the current text, which shows the order of mutations and whether one ran twice. */
export const add =
  (key: string, text: string) =>
  (current: StoredObject | undefined): Outcome<string> =>
    put(key, (current === undefined ? '' : parse(current.body).text) + text)(current);

/** A mutation that deletes the object. */
export const remove = (): Outcome<string> => ({ action: 'delete', result: 'gone' });

/** A sequence with some methods replaced. */
export const overriding = (inner: Sequence, methods: Partial<Sequence>): Sequence => ({
  marks: inner.marks,
  head: () => inner.head(),
  readLog: (after, options) => inner.readLog(after, options),
  snapshot: (options) => inner.snapshot(options),
  extent: (prefix) => inner.extent(prefix),
  read: (key) => inner.read(key),
  append: (after, proposals, options) => inner.append(after, proposals, options),
  compact: () => inner.compact(),
  positionBefore: (time) => inner.positionBefore(time),
  raiseEpoch: () => inner.raiseEpoch(),
  close: () => inner.close(),
  ...methods,
});
