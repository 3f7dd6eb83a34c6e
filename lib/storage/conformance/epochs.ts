import { describe, expect, test } from 'vitest';
import { brief, proposal } from '../proposal.conformance.ts';
import { EPOCH } from '../sequence.ts';
import { code, entriesOf, type OpenSequence } from './bench.ts';

/** Tests that versions of a restored table are above all earlier ones. */
export function raisesEpochs(on: OpenSequence): void {
  describe('epochs of a sequence', () => {
    test('raises a new epoch above all versions and keeps the state', async () => {
      await on.put(proposal('a'));
      await on.put(proposal('b'));
      const first = await on.log.raiseEpoch();
      expect(first).toBe(EPOCH + 1);
      expect(await on.log.head()).toBe(first);
      const snapshot = await on.log.snapshot({ prefix: '' });
      expect(snapshot.from).toBe(first);
      expect(brief(await entriesOf(snapshot))).toEqual(['a@2', 'b@3']);
      expect(await on.put(proposal('c'))).toBe(EPOCH + 2);
      expect(brief((await on.log.readLog(first, { limit: 9, consistent: true })).changes)).toEqual([`c@${EPOCH + 2}`]);
    });

    test('expires the positions of the old epoch', async () => {
      const head = await on.put(proposal('a'));
      await on.log.raiseEpoch();
      const other = (await on.another()).sequence('main//things');
      for (const each of [on.log, other]) {
        await expect(each.readLog(head, { limit: 9, consistent: true })).rejects.toMatchObject({
          name: 'StoreError',
        });
        await expect(each.append(head, [proposal('z')], on.nonce())).rejects.toEqual(code('Expired'));
      }
    });

    test('lets readers start over, with the remaining entries of the log', async () => {
      await on.put(proposal('a'));
      await on.log.marks.moveCursor('bus', undefined, 2);
      await on.put(proposal('b'));
      await on.log.raiseEpoch();
      expect(await on.log.marks.cursor('bus')).toBe(0);
      expect(brief(await entriesOf(await on.log.snapshot({ prefix: '' })))).toEqual(['a@2', 'b@3']);
    });

    test('raises the epoch every time', async () => {
      await on.log.raiseEpoch();
      expect(await on.log.raiseEpoch()).toBe(2 * EPOCH + 1);
      expect(await on.put(proposal('a'))).toBe(2 * EPOCH + 2);
    });
  });
}
