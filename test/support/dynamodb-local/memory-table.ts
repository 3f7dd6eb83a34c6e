import { setImmediate as turn } from 'node:timers/promises';
import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { itemBytes } from '#adapters/aws/dynamodb/counting-client.ts';
import type { Item, QueryInput, Table } from '#adapters/aws/dynamodb/port.ts';
import { compareKeys } from '#lib/storage/keys.ts';
import { readUnits, writeUnits } from './capacity.ts';

/** The maximum size of an item, and of the items that one query reads, in bytes. */
const ITEM_LIMIT = 400 * 1024;
const PAGE = 1024 * 1024;

type Write = Pick<QueryInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'> & {
  readonly ConditionExpression?: string | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
};
type Asked = { readonly ReturnConsumedCapacity?: string | undefined };
type Named = Pick<QueryInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/**
 * A table in memory that behaves like DynamoDB, for the features that this program uses. `test/store/memory-table.test.ts` compares the
 * two. Items never expire. Throws TypeError for an unknown expression.
 */
export class MemoryTable implements Table {
  readonly #partitions = new Map<string, Map<string, Item>>();

  /** All items. */
  items(): readonly Item[] {
    return [...this.#partitions.values()].flatMap((partition) => [...partition.values()]);
  }

  async get({ Key = {}, ...input }: Parameters<Table['get']>[0]) {
    await turn();
    const item = this.#at(Key);
    const consumed = consumedBy(input, readUnits(itemBytes(item ?? {}), input.ConsistentRead));
    return { ...(item === undefined ? {} : { Item: { ...item } }), ...consumed, $metadata: {} };
  }

  async query(input: QueryInput) {
    await turn();
    const { KeyConditionExpression: condition = '', FilterExpression: filter, Limit: limit, ExclusiveStartKey } = input;
    const { ScanIndexForward: forward = true, ProjectionExpression: projection } = input;
    const found = [...this.#partition(partitionOf(condition, input)).values()]
      .filter((item) => holds(condition, item, input))
      .sort((a, b) => compareKeys(sortKey(a), sortKey(b)) * (forward ? 1 : -1));
    const from = ExclusiveStartKey && sortKey(ExclusiveStartKey);
    const rest = found.filter(
      (item) => from === undefined || compareKeys(sortKey(item), from) * (forward ? 1 : -1) > 0,
    );
    const page = pageOf(rest, limit);
    const last = page.isCut ? page.items.at(-1) : undefined;
    const shown = page.items.filter((item) => filter === undefined || holds(filter, item, input));
    const bytes = page.items.reduce((sum, item) => sum + itemBytes(item), 0);
    return {
      Items: shown.map((item) => projected(item, projection)),
      ...consumedBy(input, readUnits(bytes, input.ConsistentRead)),
      ...(last === undefined ? {} : { LastEvaluatedKey: keyOf(last) }),
      $metadata: {},
    };
  }

  async put({ Item: item = {}, ...input }: Parameters<Table['put']>[0]) {
    await turn();
    checkSize(item);
    const old = this.#check(item, input);
    this.#set(item);
    const isAsked = input.ReturnValues === 'ALL_OLD' && old !== undefined;
    return { ...(isAsked ? { Attributes: old } : {}), ...consumedBy(input, unitsOfWrite(old, item)), $metadata: {} };
  }

  async update({ Key = {}, UpdateExpression: expression = '', ...input }: Parameters<Table['update']>[0]) {
    await turn();
    const old = this.#check(Key, input);
    const item = { ...(old ?? Key) };
    for (const clause of expression.split(/ (?=SET |REMOVE )/)) carryOut(clause, item, input);
    this.#set(item);
    return {
      ...consumedBy(input, unitsOfWrite(old, item)),
      $metadata: {},
      ...(input.ReturnValues === 'UPDATED_NEW' && { Attributes: item }),
    };
  }

  async delete({ Key = {}, ...input }: Parameters<Table['delete']>[0]) {
    await turn();
    const old = this.#check(Key, input);
    this.#partition(Key['pk']?.S ?? '').delete(sortKey(Key));
    return { ...consumedBy(input, unitsOfWrite(old, {})), $metadata: {} };
  }

  close(): void {}

  #partition(name: string): Map<string, Item> {
    const known = this.#partitions.get(name) ?? new Map<string, Item>();
    this.#partitions.set(name, known);
    return known;
  }

  #at(key: Item): Item | undefined {
    return this.#partition(key['pk']?.S ?? '').get(sortKey(key));
  }

  #set(item: Item): void {
    checkSize(item);
    this.#partition(item['pk']?.S ?? '').set(sortKey(item), { ...item });
  }

  /** The item with a key. Throws if it does not satisfy the condition. */
  #check(key: Item, { ConditionExpression: condition, ...input }: Write): Item | undefined {
    const old = this.#at(key);
    if (condition === undefined || holds(condition, old ?? {}, input)) return old;
    const isAsked = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && old !== undefined;
    const message = 'The conditional request failed';
    throw new ConditionalCheckFailedException({ message, $metadata: {}, ...(isAsked ? { Item: { ...old } } : {}) });
  }
}

/** Executes one clause of an update. */
function carryOut(clause: string, item: Item, input: Named): void {
  const [, verb, parts = ''] = /^(ADD|SET|REMOVE) (.*)$/.exec(clause) ?? unknown(clause);
  for (const part of parts.split(', ')) {
    const [placeholder = '', value = ''] = part.split(verb === 'ADD' ? ' ' : ' = ');
    const name = named(placeholder, input);
    if (verb === 'SET') item[name] = valued(value, input);
    else if (verb === 'REMOVE') delete item[name];
    else item[name] = { N: String(Number(item[name]?.N ?? 0) + Number(valued(value, input).N)) };
  }
}

/** The larger of the item before and after the write counts. */
const unitsOfWrite = (before: Item | undefined, after: Item): number =>
  writeUnits(Math.max(itemBytes(before ?? {}), itemBytes(after)));

const consumedBy = ({ ReturnConsumedCapacity: asked = 'NONE' }: Asked, CapacityUnits: number) =>
  asked === 'NONE' ? {} : { ConsumedCapacity: { CapacityUnits } };

function checkSize(item: Item): void {
  if (itemBytes(item) > ITEM_LIMIT)
    throw Object.assign(new Error('the item is too large'), { name: 'ValidationException' });
}

const sortKey = (item: Item): string => item['sk']?.S ?? '';
const keyOf = ({ pk = { S: '' }, sk = { S: '' } }: Item): Item => ({ pk, sk });

/** The items of one page, which is limited to a mebibyte and to the limit of the query. */
function pageOf(found: readonly Item[], limit: number | undefined): { items: readonly Item[]; isCut: boolean } {
  let size = 0;
  let count = 0;
  while (count < found.length && count !== limit && size < PAGE) size += itemBytes(found[count++] ?? {});
  return { items: found.slice(0, count), isCut: count === limit || count < found.length };
}

function projected(item: Item, projection: string | undefined): Item {
  if (projection === undefined) return { ...item };
  const names = projection.split(', ');
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

function partitionOf(condition: string, input: Named): string {
  const [, value = ''] = /^(?:pk|#pk) = (:\w+)/.exec(condition) ?? unknown(condition);
  return valued(value, input).S ?? '';
}

/** Evaluates terms joined by AND or OR. Parentheses are not supported. */
function holds(expression: string, item: Item, input: Named): boolean {
  const bound = expression.replaceAll(/BETWEEN (:\w+) AND/g, 'BETWEEN $1 &');
  return bound.split(' OR ').some((all) => all.split(' AND ').every((term) => isTrue(term, item, input)));
}

function isTrue(term: string, item: Item, input: Named): boolean {
  const [, not, existing] = /^attribute_(not_)?exists\((\S+)\)$/.exec(term) ?? [];
  if (existing !== undefined) return (item[named(existing, input)] === undefined) === (not !== undefined);
  const [, prefixed, prefix] = /^begins_with\((\S+), (:\w+)\)$/.exec(term) ?? [];
  if (prefixed !== undefined && prefix !== undefined)
    return item[named(prefixed, input)]?.S?.startsWith(valued(prefix, input).S ?? '') === true;
  const [, between, first = '', last = ''] = /^(\S+) BETWEEN (:\w+) & (:\w+)$/.exec(term) ?? [];
  if (between !== undefined)
    return isTrue(`${between} >= ${first}`, item, input) && isTrue(`${between} <= ${last}`, item, input);
  const [, name = '', operator = '', value = ''] = /^(\S+) (<=|>=|<|=) (:\w+)$/.exec(term) ?? unknown(term);
  const [left, right] = [item[named(name, input)], valued(value, input)];
  if (left === undefined) return false;
  const order = compare(left, right);
  return (
    (operator.includes('=') && order === 0) ||
    (operator.startsWith('<') && order < 0) ||
    (operator.startsWith('>') && order > 0)
  );
}

function compare(a: AttributeValue, b: AttributeValue): number {
  if (a.N !== undefined && b.N !== undefined) return Number(a.N) - Number(b.N);
  if (a.S !== undefined && b.S !== undefined) return compareKeys(a.S, b.S);
  return unknown(JSON.stringify([a, b]));
}

const named = (name: string, { ExpressionAttributeNames: names }: Named): string => names?.[name] ?? name;
const valued = (name: string, { ExpressionAttributeValues: values }: Named): AttributeValue =>
  values?.[name] ?? unknown(name);

function unknown(what: string): never {
  throw new TypeError(`this table does not know ${what}`);
}
