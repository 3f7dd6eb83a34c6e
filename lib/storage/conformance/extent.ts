import { describe, expect, test } from 'vitest';
import { bodyOf, proposal } from '../proposal.conformance.ts';
import { entriesOf, type OpenSequence } from './bench.ts';

/** Tests that the extent reports the size of the state without reading its bodies. */
export function tellsItsExtent(on: OpenSequence): void {
  describe('the extent of a sequence', () => {
    const large = bodyOf(0, { length: 700_000, note: 'large' });
    const fill = async (): Promise<void> => {
      await on.put(proposal('a'), proposal('b', { body: large }), proposal('gone'), proposal('tall'));
      await on.put(proposal('x', { key: 'main//things/other/x' }));
      await on.put(proposal('a', { type: 'MODIFIED', body: bodyOf(0, { length: 5_000 }) }));
      await on.put(proposal('gone', { type: 'DELETED' }));
    };
    /** The extent computed from a snapshot. */
    const shown = async (prefix: string) => {
      const snapshot = await on.log.snapshot({ prefix });
      const entries = await entriesOf(snapshot);
      const bytes = entries.reduce((sum, { body }) => sum + body.length, 0);
      return { from: snapshot.from, objects: entries.length, bytes };
    };

    test.each(['', 'main//things/', 'main//things/default/', 'main//things/default/b', 'main//thing/'])(
      'equals that of a snapshot under %j, or is unknown',
      async (prefix) => {
        await fill();
        await on.log.compact();
        const told = await on.log.extent(prefix);
        expect(told).toEqual(on.bench.sealed === true ? undefined : await shown(prefix));
      },
    );

    test('counts only folded entries', async () => {
      await fill();
      await on.log.compact();
      await on.put(proposal('new'));
      const told = await on.log.extent('main//things/');
      expect(told).toEqual(on.bench.sealed === true ? undefined : await shown('main//things/'));
    });
  });
}
