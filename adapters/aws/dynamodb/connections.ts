import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Clock } from '#lib/machinery/clock.ts';
import { type AgentRecord, type Connections, RECORD_LIFETIME } from '#lib/server/channel/gateway/connections.ts';
import type { Ticket } from '#lib/server/channel/gateway/ticket.ts';
import type { InterestKeeper, Interests } from '#lib/server/channel/interests.ts';
import type { Asked, ConnectedNode, ConnectedNodes } from '#lib/stream/notifications.ts';
import { storeError } from './faults.ts';
import { number, numberAt, text, textAt } from './layout.ts';
import { type Item, intercept, type QueryInput, type Table } from './port.ts';
import { retryingClient } from './retry.ts';
import { TABLE } from './table.ts';

/** The logical cluster whose nodes connect. */
export interface TableConnectionsOptions {
  readonly clock: Clock;
  readonly cluster: string;
}

const { partitionKey, sortKey, timeToLive } = TABLE;
/** Sort keys: nodes by name, servers and clients by ticket, messages by connection and window, and the public key. */
const NODE = 'node/';
/** Sorts after the name of every node. */
const LAST = `${NODE}~`;
const SERVER = 'server/';
/** Connections of nodes are keyed by their ids. */
const CONNECTION = 'connection/';
const MESSAGES = 'messages/';
const KEY = 'key';
/** The attribute with a node's interests, which are the events to notify it of. */
const INTERESTS = 'interests';
/** Time in ms after which a message count is removed. */
const COUNTED = 600_000;

interface Interval {
  readonly first: string;
  readonly last: string;
}

/**
 * Connection records in the table, one item per node and one per connection. A new connection takes two writes. Listing all nodes takes one
 * query.
 */
export class TableConnections implements Connections, ConnectedNodes, InterestKeeper {
  readonly #table: Table;
  readonly #clock: Clock;
  readonly #partition: string;

  constructor(table: Table, { clock, cluster }: TableConnectionsOptions) {
    this.#table = intercept(retryingClient(table, clock), (_, next) => next().catch(told));
    this.#clock = clock;
    this.#partition = `channel/${cluster}`;
  }

  async find(node: string, { fresh } = { fresh: false }): Promise<AgentRecord | undefined> {
    const { Item: item } = await this.#table.get({ Key: this.#key(`${NODE}${node}`), ConsistentRead: fresh });
    return item === undefined ? undefined : recordOf(item);
  }

  async nodeOf(connection: string): Promise<string | undefined> {
    const { Item: item } = await this.#table.get({ Key: this.#key(`${CONNECTION}${connection}`) });
    return item?.['node']?.S;
  }

  /** Returns the requested nodes, and all nodes whose names sort between them, because one query reads a contiguous range. */
  async interested({ nodes, all }: Asked): Promise<readonly ConnectedNode[]> {
    const names = all ? [] : nodes.toSorted();
    const items = await this.#query({
      first: `${NODE}${names[0] ?? ''}`,
      last: all ? LAST : `${NODE}${names.at(-1) ?? ''}`,
    });
    return items.flatMap((item): ConnectedNode[] => {
      const interests = item[INTERESTS]?.S;
      const { node, connections } = recordOf(item);
      return interests === undefined || connections.length === 0 ? [] : [{ node, connections, interests }];
    });
  }

  async keep(node: string, interests: Interests): Promise<void> {
    await isMet(
      this.#table.update({
        Key: this.#key(`${NODE}${node}`),
        UpdateExpression: 'SET #interests = :interests',
        ConditionExpression: 'attribute_exists(#connection) OR attribute_exists(#before)',
        ExpressionAttributeNames: { '#connection': 'connection', '#before': 'before', '#interests': INTERESTS },
        ExpressionAttributeValues: { ':interests': text(interests) },
      }),
    );
  }

  async connect(ticket: Ticket, connection: string): Promise<boolean> {
    const { id, node, session, instance, after, before } = ticket;
    const first = after === '';
    const takesOver = before !== '';
    const update = this.#table.update({
      Key: this.#key(node === '' ? `${SERVER}${id}` : `${NODE}${node}`),
      // The update keeps the interests, so that a replacing connection has them from the start.
      UpdateExpression: `SET #ticket = :ticket, #session = :session, #instance = :instance, #connection = :connection, #ttl = :ttl${takesOver ? ', #before = :before' : ' REMOVE #before'}`,
      // The second condition holds if the update is retried because the response to a successful one was lost.
      ConditionExpression: `${first ? 'attribute_not_exists(#pk)' : '#ticket = :after'} OR #ticket = :ticket AND #connection = :connection`,
      ExpressionAttributeNames: {
        ...(first ? { '#pk': partitionKey } : {}),
        '#ticket': 'ticket',
        '#session': 'session',
        '#instance': 'instance',
        '#connection': 'connection',
        '#before': 'before',
        '#ttl': timeToLive,
      },
      ExpressionAttributeValues: {
        ...(first ? {} : { ':after': text(after) }),
        ...(takesOver ? { ':before': text(before) } : {}),
        ':ticket': text(id),
        ':session': text(session),
        ':instance': text(instance),
        ':connection': text(connection),
        ':ttl': this.#after(RECORD_LIFETIME),
      },
    });
    if (!(await isMet(update))) return false;
    if (node !== '') await this.#remember(connection, node);
    return true;
  }

  /**
   * Records the node of a connection, for the connection's end. If the process crashes before that, a later post finds the connection
   * closed.
   */
  async #remember(connection: string, node: string): Promise<void> {
    await this.#table.update({
      Key: this.#key(`${CONNECTION}${connection}`),
      UpdateExpression: 'SET #node = :node, #ttl = :ttl',
      ExpressionAttributeNames: { '#node': 'node', '#ttl': timeToLive },
      ExpressionAttributeValues: { ':node': text(node), ':ttl': this.#after(RECORD_LIFETIME) },
    });
  }

  async spentFor(ticket: string): Promise<string | undefined> {
    const { Item: item } = await this.#table.get({ Key: this.#key(`${SERVER}${ticket}`), ConsistentRead: true });
    return item?.['connection']?.S;
  }

  async lose(node: string, connection: string): Promise<void> {
    // The replaced connection ends every hour, the newest one rarely.
    for (const name of ['before', 'connection']) {
      const removal = this.#table.update({
        Key: this.#key(`${NODE}${node}`),
        UpdateExpression: 'REMOVE #name',
        ConditionExpression: '#name = :connection',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: { ':connection': text(connection) },
      });
      if (await isMet(removal)) return;
    }
  }

  async publishedKey(): Promise<string | undefined> {
    const { Item: item } = await this.#table.get({ Key: this.#key(KEY), ConsistentRead: true });
    return item?.['key']?.S;
  }

  async publish(key: string): Promise<void> {
    if ((await this.publishedKey()) !== key) await this.#table.put({ Item: { ...this.#key(KEY), key: text(key) } });
  }

  async count(connection: string, window: number, messages: number): Promise<number> {
    const { Attributes: attributes = {} } = await this.#table.update({
      Key: this.#key(`${MESSAGES}${connection}/${window}`),
      UpdateExpression: 'ADD #messages :messages SET #ttl = :ttl',
      ExpressionAttributeNames: { '#messages': 'messages', '#ttl': timeToLive },
      ExpressionAttributeValues: { ':messages': number(messages), ':ttl': this.#after(COUNTED) },
      ReturnValues: 'UPDATED_NEW',
    });
    return numberAt(attributes, 'messages');
  }

  /** Returns the items in an interval of sort keys. They may be up to a second old. */
  async #query({ first, last }: Interval): Promise<readonly Item[]> {
    const found: Item[] = [];
    let from: QueryInput['ExclusiveStartKey'];
    do {
      const { Items: items = [], LastEvaluatedKey: next } = await this.#table.query({
        KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :first AND :last',
        ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
        ExpressionAttributeValues: { ':pk': text(this.#partition), ':first': text(first), ':last': text(last) },
        ConsistentRead: false,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      });
      found.push(...items);
      from = next;
    } while (from !== undefined);
    return found;
  }

  #key(sort: string): Item {
    return { [partitionKey]: text(this.#partition), [sortKey]: text(sort) };
  }

  /** The time this many ms from now, in the format of the table's expiry attribute. */
  #after(milliseconds: number): AttributeValue {
    return number(Math.floor((this.#clock.now() + milliseconds) / 1000));
  }
}

/** A failed condition is a result. Any other error becomes a StoreError. */
function told(error: unknown): never {
  throw error instanceof ConditionalCheckFailedException ? error : storeError(error);
}

async function isMet(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

const recordOf = (item: Item): AgentRecord => ({
  node: textAt(item, sortKey).slice(NODE.length),
  ticket: textAt(item, 'ticket'),
  session: textAt(item, 'session'),
  instance: textAt(item, 'instance'),
  connections: [item['connection']?.S, item['before']?.S].filter((id) => id !== undefined),
});
