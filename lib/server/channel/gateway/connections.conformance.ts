import { describe, expect, test } from 'vitest';
import type { Connections } from './connections.ts';
import type { Ticket } from './ticket.ts';

const aTicket = (id: string, changes: Partial<Ticket> = {}): Ticket => ({
  id,
  node: 'n1',
  session: 's1',
  instance: '["k"]',
  after: '',
  before: '',
  expires: 0,
  ...changes,
});

/** Tests that every store of connection records behaves the same. Each call of `make` returns a separate store. */
export function connectionsConformance(make: () => Promise<Connections>): void {
  describe('records of connections', () => {
    test('contain the connection of a node', async () => {
      const connections = await make();
      expect(await connections.find('n1')).toBeUndefined();
      expect(await connections.connect(aTicket('t1'), 'c1')).toBe(true);
      const record = { node: 'n1', ticket: 't1', session: 's1', instance: '["k"]', connections: ['c1'] };
      expect(await connections.find('n1', { fresh: true })).toEqual(record);
    });

    test('contain the node of a connection, even after the connection is lost', async () => {
      const connections = await make();
      await connections.connect(aTicket('t1'), 'c1');
      await connections.connect(aTicket('t2', { after: 't1', before: 'c1' }), 'c2');
      await connections.lose('n1', 'c1');
      expect([await connections.nodeOf('c1'), await connections.nodeOf('c2')]).toEqual(['n1', 'n1']);
      expect(await connections.connect(aTicket('t3', { after: 't1' }), 'c3')).toBe(false);
      expect(await connections.nodeOf('c3')).toBeUndefined();
    });

    test('contain the single connection for which a ticket without a node was used', async () => {
      const connections = await make();
      expect(await connections.spentFor('t1')).toBeUndefined();
      expect(await connections.connect(aTicket('t1', { node: '' }), 'c1')).toBe(true);
      expect(await connections.connect(aTicket('t1', { node: '' }), 'c2')).toBe(false);
      expect(await connections.spentFor('t1')).toBe('c1');
    });

    test('list the previous connection after the newer one', async () => {
      const connections = await make();
      await connections.connect(aTicket('t1'), 'c1');
      expect(await connections.connect(aTicket('t2', { after: 't1', before: 'c1' }), 'c2')).toBe(true);
      expect((await connections.find('n1'))?.connections).toEqual(['c2', 'c1']);
      await connections.lose('n1', 'c1');
      await connections.lose('n1', 'other');
      expect((await connections.find('n1'))?.connections).toEqual(['c2']);
      await connections.lose('n1', 'c2');
      expect(await connections.find('n1')).toMatchObject({ ticket: 't2', connections: [] });
    });

    test.each<[string, Ticket]>([
      ['was spent', aTicket('t2', { after: 't1' })],
      ['is older than the last one spent', aTicket('t3', { after: 't1' })],
      ['was issued before the node had any', aTicket('t4')],
    ])('accept no ticket that %s', async (_, ticket) => {
      const connections = await make();
      await connections.connect(aTicket('t1'), 'c1');
      await connections.connect(aTicket('t2', { after: 't1' }), 'c2');
      expect(await connections.connect(ticket, 'c3')).toBe(false);
      expect((await connections.find('n1'))?.connections).toEqual(['c2']);
    });

    test('accept only one of several tickets that are used concurrently', async () => {
      const connections = await make();
      const tickets = Array.from({ length: 8 }, (_, i) => aTicket(`t${i}`));
      const spent = await Promise.all(tickets.map((ticket, i) => connections.connect(ticket, `c${i}`)));
      expect(spent.filter(Boolean)).toHaveLength(1);
    });

    test('accept the ticket of a server once, without a node', async () => {
      const connections = await make();
      expect(await connections.connect(aTicket('t1', { node: '' }), 'c1')).toBe(true);
      expect(await connections.connect(aTicket('t1', { node: '' }), 'c2')).toBe(false);
      expect(await connections.connect(aTicket('t2', { node: '' }), 'c2')).toBe(true);
      expect(await connections.nodeOf('c1')).toBeUndefined();
    });

    test('contain the most recently published key', async () => {
      const connections = await make();
      expect(await connections.publishedKey()).toBeUndefined();
      await connections.publish('k1');
      await connections.publish('k1');
      expect(await connections.publishedKey()).toBe('k1');
      await connections.publish('k2');
      expect(await connections.publishedKey()).toBe('k2');
    });

    test('count the messages of a connection in a window', async () => {
      const connections = await make();
      expect(await connections.count('c1', 1, 25)).toBe(25);
      expect(await connections.count('c1', 1, 25)).toBe(50);
      expect(await connections.count('c1', 2, 25)).toBe(25);
      expect(await connections.count('c2', 1, 25)).toBe(25);
    });
  });
}
