import { describe, expect, test } from 'vitest';
import { bodyOf, brief, proposal, tallOutline } from '../proposal.conformance.ts';
import { entriesOf, type OpenSequence } from './bench.ts';

const TALL = 'main//things/default/tall';

/** Tests bodies that are stored separately from the state. The state returns outlines only to callers that request them. */
export function mayShowOutlines(on: OpenSequence): void {
  describe('outlines of bodies', () => {
    const shown = async (outlines: boolean) => {
      const entries = await entriesOf(await on.log.snapshot({ prefix: '', outlines }));
      return entries.map(({ key, version, body, outline = false }) => ({
        what: brief([{ key, version }])[0],
        body: Buffer.from(body).toString(),
        outline,
      }));
    };
    const text = (body: Uint8Array): string => Buffer.from(body).toString();
    const fill = async (): Promise<void> => {
      for (let i = 0; i < 40; i++) await on.put(proposal(`tall${10 + i}`));
      await on.put(proposal('small'), proposal('tall10', { type: 'MODIFIED', body: bodyOf(0, { note: 'again' }) }));
      await on.put(proposal('tall11', { type: 'DELETED' }));
      await on.log.compact();
    };

    test('replace bodies in a snapshot that requests them', async () => {
      await fill();
      const [small, first] = await shown(true);
      expect(small).toEqual({ what: 'small@42', body: text(bodyOf(42, { note: 'small' })), outline: false });
      const body = bodyOf(43, { note: 'again' });
      const isOutline = on.bench.outlines === true;
      const expected = isOutline ? (tallOutline(TALL, body) ?? body) : body;
      expect(first).toEqual({ what: 'tall10@43', body: text(expected), outline: isOutline });
    });

    test('never appear in a snapshot that does not request them, nor in a read', async () => {
      await fill();
      const whole = await shown(false);
      expect(whole).toHaveLength(40);
      expect(whole.filter(({ outline }) => outline)).toEqual([]);
      expect(whole[1]).toMatchObject({ what: 'tall10@43', body: text(bodyOf(43, { note: 'again' })) });
      const { item } = await on.log.read('main//things/default/tall10');
      expect(text(item?.body ?? Buffer.from(''))).toBe(text(bodyOf(43, { note: 'again' })));
      expect(await on.log.read('main//things/default/tall11')).toEqual({ from: await on.log.head() });
    });
  });
}
