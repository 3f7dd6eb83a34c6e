import type { AgentRecord, Connections } from '../connections.ts';
import type { Ticket } from '../ticket.ts';

/** Records of connections in memory. They never expire. */
export class MemoryConnections implements Connections {
  readonly #agents = new Map<string, AgentRecord>();
  readonly #servers = new Map<string, string>();
  readonly #nodes = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  #key: string | undefined;
  /** The number of calls per method. */
  readonly calls: Record<keyof Connections, number> = {
    find: 0,
    nodeOf: 0,
    connect: 0,
    spentFor: 0,
    lose: 0,
    publishedKey: 0,
    publish: 0,
    count: 0,
  };

  async find(node: string): Promise<AgentRecord | undefined> {
    this.calls.find += 1;
    return this.#agents.get(node);
  }

  async nodeOf(connection: string): Promise<string | undefined> {
    this.calls.nodeOf += 1;
    return this.#nodes.get(connection);
  }

  async connect({ id, node, session, instance, after, before }: Ticket, connection: string): Promise<boolean> {
    this.calls.connect += 1;
    if (node === '') {
      const isNew = !this.#servers.has(id);
      if (isNew) this.#servers.set(id, connection);
      return isNew;
    }
    if ((this.#agents.get(node)?.ticket ?? '') !== after) return false;
    const connections = [connection, before].filter((one) => one !== '');
    this.#agents.set(node, { node, ticket: id, session, instance, connections });
    this.#nodes.set(connection, node);
    return true;
  }

  async spentFor(ticket: string): Promise<string | undefined> {
    this.calls.spentFor += 1;
    return this.#servers.get(ticket);
  }

  async lose(node: string, connection: string): Promise<void> {
    this.calls.lose += 1;
    const record = this.#agents.get(node);
    if (record === undefined) return;
    this.#agents.set(node, { ...record, connections: record.connections.filter((one) => one !== connection) });
  }

  async publishedKey(): Promise<string | undefined> {
    this.calls.publishedKey += 1;
    return this.#key;
  }

  async publish(key: string): Promise<void> {
    this.calls.publish += 1;
    this.#key = key;
  }

  async count(connection: string, window: number, messages: number): Promise<number> {
    this.calls.count += 1;
    const key = `${connection}/${window}`;
    const count = (this.#counts.get(key) ?? 0) + messages;
    this.#counts.set(key, count);
    return count;
  }
}
