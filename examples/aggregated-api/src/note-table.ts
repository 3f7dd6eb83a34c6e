import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import {
  alreadyExists,
  type CallContext,
  conflict,
  expired,
  type ListContext,
  notFound,
  type ObjectList,
  type StatusError,
} from '@davit-dev/davit/aggregated';
import { type Change, keyOf, type Note, type NoteStore, RESOURCE } from './note.ts';

type Item = Record<string, AttributeValue>;

/** The item that counts the writes to the table. */
const HEAD: Item = { pk: { S: 'head' }, sk: { S: '-' } };
/** How long changes are kept, in seconds. A watch that resumes later gets a 410. */
const KEPT = 3600;
/** The interval between two polls of a watch, in milliseconds. */
const LOOK = 1000;
/** How often to try a write that conflicts with others. */
const ATTEMPTS = 10;

const noteItem = (key: string): Item => ({ pk: { S: 'note' }, sk: { S: key } });
/** The padding makes versions sort as numbers. */
const changeItem = (version: number): Item => ({ pk: { S: 'change' }, sk: { S: String(version).padStart(16, '0') } });

/**
 * Notes in a DynamoDB table, which is all that instances share. Each write increments the version of the head item, which is the
 * resourceVersion, and stores the change. The three items are written in one transaction. A watch polls the changes every second.
 */
export class NoteTable implements NoteStore {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async get(name: string, { namespace }: CallContext): Promise<Note | undefined> {
    const item = await this.#read(noteItem(keyOf(namespace, name)));
    return item && noteOf(item);
  }

  /** Reads the version before the notes. A watch from this version may repeat some of these notes, but misses none. */
  async list({ namespace, limit, continue: from }: ListContext): Promise<ObjectList<Note>> {
    const version = await this.#version();
    const { Items: items = [], LastEvaluatedKey: last } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        ...notesIn(namespace),
        ConsistentRead: true,
        Limit: limit,
        ExclusiveStartKey: from === undefined ? undefined : noteItem(from),
      }),
    );
    const rest = last === undefined ? {} : { continue: last['sk']?.S ?? '' };
    return { items: items.map(noteOf), resourceVersion: String(version), ...rest };
  }

  async *watch(from: string, { namespace, signal }: CallContext): AsyncGenerator<Change> {
    let version = Number(from);
    const now = await this.#version();
    if (!(version <= now) || (version < now && (await this.#read(changeItem(version + 1))) === undefined))
      throw expired(`too old resource version: ${from}`);
    while (!signal.aborted) {
      for (const item of await this.#changesBehind(version)) {
        const at = Number(item['sk']?.S);
        if (at !== version + 1) break; // a query may see half a transaction; the next poll sees the rest
        version = at;
        const change = { type: item['type']?.S as Change['type'], object: noteOf(item) };
        if (namespace === '' || change.object.metadata.namespace === namespace) yield change;
      }
      await sleep(LOOK, undefined, { signal }).catch(() => undefined);
    }
  }

  create(note: Note): Promise<Note> {
    const { name = '' } = note.metadata;
    return this.#write('ADDED', note, {
      condition: 'attribute_not_exists(pk)',
      otherwise: alreadyExists(RESOURCE, name),
    });
  }

  update(note: Note, { current }: { readonly current: Note }): Promise<Note> {
    const { name = '' } = note.metadata;
    return this.#write('MODIFIED', note, {
      condition: 'version = :known',
      known: current.metadata.resourceVersion ?? '',
      otherwise: conflict(RESOURCE, name, 'the note has changed'),
    });
  }

  async delete(name: string, { current }: { readonly current: Note }): Promise<void> {
    await this.#write('DELETED', current, { condition: 'attribute_exists(pk)', otherwise: notFound(RESOURCE, name) });
  }

  /** Writes the note with the next version. Throws `otherwise` if the stored note does not meet the condition. */
  async #write(type: Change['type'], given: Note, { condition, known, otherwise }: Judgement): Promise<Note> {
    for (let attempt = 1; ; attempt++) {
      const before = await this.#version();
      const version = before + 1;
      const note = { ...given, metadata: { ...given.metadata, resourceVersion: String(version) } };
      const { namespace, name } = note.metadata;
      const fields = { note: { S: JSON.stringify(note) }, version: { N: String(version) } };
      const expires = { N: String(Math.floor(Date.now() / 1000) + KEPT) };
      const stored = { ...noteItem(keyOf(namespace, name)), ...fields };
      const judged = {
        TableName: this.#table,
        ConditionExpression: condition,
        ...(known !== undefined && { ExpressionAttributeValues: { ':known': { N: known } } }),
      };
      try {
        await this.#transact([
          { Put: { ...this.#countingFrom(before), Item: { ...HEAD, version: { N: String(version) } } } },
          type === 'DELETED'
            ? { Delete: { ...judged, Key: noteItem(keyOf(namespace, name)) } }
            : { Put: { ...judged, Item: stored } },
          { Put: { TableName: this.#table, Item: { ...changeItem(version), ...fields, type: { S: type }, expires } } },
        ]);
        return note;
      } catch (error) {
        const reasons = reasonsOf(error);
        const [head, ofNote] = reasons;
        if (ofNote === 'ConditionalCheckFailed') throw otherwise;
        const isOutrun = head === 'ConditionalCheckFailed' || reasons.includes('TransactionConflict');
        if (!isOutrun || attempt === ATTEMPTS) throw error;
        await sleep(Math.random() * 20 * attempt);
      }
    }
  }

  #countingFrom(version: number) {
    return {
      TableName: this.#table,
      ConditionExpression: version === 0 ? 'attribute_not_exists(pk)' : 'version = :before',
      ...(version !== 0 && { ExpressionAttributeValues: { ':before': { N: String(version) } } }),
    };
  }

  async #version(): Promise<number> {
    return Number((await this.#read(HEAD))?.['version']?.N ?? 0);
  }

  async #read(key: Item): Promise<Item | undefined> {
    const asked = new GetItemCommand({ TableName: this.#table, Key: key, ConsistentRead: true });
    return (await this.#client.send(asked)).Item;
  }

  async #changesBehind(version: number): Promise<readonly Item[]> {
    const { Items: items = [] }: QueryCommandOutput = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :changes and sk > :seen',
        ExpressionAttributeValues: {
          ':changes': { S: 'change' },
          ':seen': changeItem(version)['sk'] as AttributeValue,
        },
        ConsistentRead: true,
      }),
    );
    return items;
  }

  async #transact(items: TransactWriteItem[]): Promise<void> {
    await this.#client.send(new TransactWriteItemsCommand({ TransactItems: items }));
  }
}

interface Judgement {
  /** A condition on the stored note. */
  readonly condition: string;
  /** The version in the condition. */
  readonly known?: string;
  readonly otherwise: StatusError;
}

/** The reasons of a cancelled transaction, by item. */
const reasonsOf = (error: unknown): readonly (string | undefined)[] =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []).map(({ Code }) => Code) : [];

const noteOf = (item: Item): Note => JSON.parse(item['note']?.S ?? '') as Note;

/** The condition of a query for the notes in a namespace, or for all notes. */
const notesIn = (namespace: string) =>
  namespace === ''
    ? { KeyConditionExpression: 'pk = :notes', ExpressionAttributeValues: { ':notes': { S: 'note' } } }
    : {
        KeyConditionExpression: 'pk = :notes and begins_with(sk, :namespace)',
        ExpressionAttributeValues: { ':notes': { S: 'note' }, ':namespace': { S: keyOf(namespace) } },
      };
