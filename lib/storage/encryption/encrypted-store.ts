import { damageOf, NO_BODY, type OnDamage, registryKey } from '../damage.ts';
import { StoreError } from '../errors.ts';
import { parseKey } from '../keys.ts';
import { checkProposals } from '../limits.ts';
import type {
  AppendResult,
  Change,
  Extent,
  LogPage,
  Proposal,
  Sequence,
  SequenceStore,
  Snapshot,
  StateEntry,
  Version,
} from '../sequence.ts';
import type { StoredResource } from '../sequences.ts';
import { openBody, sealBody } from './sealed-body.ts';
import { identity, type Transformer, undecryptable } from './transformer.ts';

/** Finds the transformer that encrypts the bodies of a resource; undefined for plain text. */
export type TransformerOf = (resource: StoredResource) => Transformer | undefined;

const refuse: OnDamage = (damage) => {
  throw damage;
};

/**
 * Wraps `store` so that the transformers encrypt bodies both in the log and in the state. Calls `onDamage` for each damaged body that is
 * read. Unless that throws, the reader gets the body marked as damaged.
 */
export class EncryptedStore implements SequenceStore {
  readonly #store: SequenceStore;
  #transformerOf: TransformerOf;
  readonly #onDamage: OnDamage;
  readonly #sequences = new Map<Sequence, EncryptedSequence>();

  constructor(store: SequenceStore, transformerOf: TransformerOf, onDamage: OnDamage = refuse) {
    this.#store = store;
    this.#transformerOf = transformerOf;
    this.#onDamage = onDamage;
  }

  sequence(name: string): Sequence {
    const inner = this.#store.sequence(name);
    const sequence =
      this.#sequences.get(inner) ??
      new EncryptedSequence(inner, (resource) => this.#transformerOf(resource), this.#onDamage);
    this.#sequences.set(inner, sequence);
    return sequence;
  }

  /** Replaces the transformers. The `stale` flags of bodies already read stay as they are. */
  transformBy(transformerOf: TransformerOf): void {
    this.#transformerOf = transformerOf;
  }

  names(): Promise<string[]> {
    return this.#store.names();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/**
 * A sequence that encrypts and decrypts bodies, and reports why a body is damaged. Keys, labels and selectable fields are stored in plain
 * text.
 */
class EncryptedSequence implements Sequence {
  readonly #inner: Sequence;
  readonly #transformerOf: TransformerOf;
  readonly #onDamage: OnDamage;

  constructor(inner: Sequence, transformerOf: TransformerOf, onDamage: OnDamage) {
    this.#inner = inner;
    this.#transformerOf = transformerOf;
    this.#onDamage = onDamage;
  }

  get marks() {
    return this.#inner.marks;
  }

  head(): Promise<Version> {
    return this.#inner.head();
  }

  async readLog(after: Version, options: { limit: number; consistent: boolean }): Promise<LogPage> {
    const page = await this.#inner.readLog(after, options);
    return { ...page, changes: await this.#openAll(page.changes) };
  }

  async snapshot(options: Parameters<Sequence['snapshot']>[0]): Promise<Snapshot> {
    const { from, entries } = await this.#inner.snapshot(options);
    return { from, entries: this.#openEach(entries) };
  }

  /** Returns undefined for encrypted bodies. They are compressed before encryption, so the stored size differs from the plain size. */
  async extent(prefix: string): Promise<Extent | undefined> {
    return this.#transformerOf(parseKey(prefix)) === undefined ? this.#inner.extent(prefix) : undefined;
  }

  async *#openEach(entries: Snapshot['entries']): Snapshot['entries'] {
    for await (const entry of entries) yield { ...entry, ...(await this.#openEntry(entry)) };
  }

  async read(key: string): ReturnType<Sequence['read']> {
    const { from, item } = await this.#inner.read(key);
    return item === undefined ? { from } : { from, item: { ...item, ...(await this.#openEntry({ ...item, key })) } };
  }

  async append(after: Version, proposals: readonly Proposal[], options: { nonce: string }): Promise<AppendResult> {
    checkProposals(after, proposals);
    const sealed = await Promise.all(proposals.map((proposal) => this.#seal(proposal)));
    const result = await this.#inner.append(after, sealed, options);
    return result.ok || result.winner === undefined
      ? result
      : { ...result, winner: await this.#openAll(result.winner) };
  }

  compact(): Promise<Version> {
    return this.#inner.compact();
  }

  positionBefore(time: number): Promise<Version> {
    return this.#inner.positionBefore(time);
  }

  raiseEpoch(): Promise<Version> {
    return this.#inner.raiseEpoch();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #seal(proposal: Proposal): Promise<Proposal> {
    const { key, body, previousBody } = proposal;
    const transformer = this.#transformerOf(parseKey(key));
    if (transformer === undefined) return proposal;
    return {
      ...proposal,
      body: await sealBody(transformer, body, key),
      ...(previousBody === undefined ? {} : { previousBody: await sealBody(transformer, previousBody, key) }),
    };
  }

  #openAll(changes: readonly Change[]): Promise<Change[]> {
    return Promise.all(
      changes.map(async (change) => {
        const { previousBody, ...rest } = change;
        const opened = { ...rest, ...(await this.#openEntry(change)) };
        if (previousBody === undefined) return opened;
        const { damage, body } = await this.#open(change.key, previousBody);
        return damage === undefined ? { ...opened, previousBody: body } : opened; // otherwise readers get the previous body from the log
      }),
    );
  }

  async #openEntry({ key, version, body: stored, damage }: StateEntry): Promise<Opened> {
    const opened = damage === undefined ? await this.#open(key, stored) : { body: NO_BODY, damage };
    const found = opened.damage ?? damageOf(key, version, opened.body);
    if (found === undefined) return opened;
    this.#onDamage(found);
    return { body: NO_BODY, damage: found };
  }

  async #open(key: string, stored: Uint8Array): Promise<Opened> {
    try {
      const { body, stale } = await openBody(this.#transformerOf(parseKey(key)) ?? identity, stored, key);
      return stale ? { body, stale } : { body };
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'Undecryptable') throw error;
      const message = `unable to transform key ${JSON.stringify(registryKey(key))}: ${error.message}`;
      return { body: NO_BODY, damage: undecryptable(message, error) };
    }
  }
}

type Opened = Pick<StateEntry, 'body' | 'stale' | 'damage'>;
