import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DependentsIndex } from './dependents.ts';
import { proposal, SUMMARY } from './proposal.conformance.ts';
import type { ChangeType, SequenceStore } from './sequence.ts';

type Indexed = SequenceStore & DependentsIndex;

const referring = (owners: readonly string[]) => ({
  ...SUMMARY,
  ownerReferences: owners.map((uid) => ({ uid, controller: false })),
});
const thing = (name: string, owners: readonly string[], type: ChangeType = 'ADDED', before?: readonly string[]) =>
  proposal(name, {
    ...referring(owners),
    type,
    ...(before === undefined ? {} : { previous: { ...referring(before), version: 1 } }),
  });
type Thing = ReturnType<typeof thing>;

/** Tests the contract of DependentsIndex on every store that implements it. Each call to `open` returns an empty store. */
export function dependentsConformance(open: () => Promise<Indexed> | Indexed): void {
  describe('dependents by owner', () => {
    let store: Indexed;
    let nonces = 0;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    /** Writes and folds each group in turn. */
    async function folded(...groups: (readonly Thing[])[]): Promise<void> {
      const log = store.sequence('main//things');
      for (const things of groups) {
        const nonce = `n${++nonces}`;
        expect(await log.append(await log.head(), things, { nonce })).toMatchObject({ ok: true });
        await log.compact();
      }
    }
    const names = async (owner: string) =>
      (await store.dependents('main', owner)).map((key) => key.split('/').at(-1) ?? '');

    test.each<[string, (readonly Thing[])[], string[]]>([
      ['none without references', [[thing('a', ['v'])]], []],
      ['several, in order', [[thing('b', ['u']), thing('a', ['v', 'u', 'u'])]], ['a', 'b']],
      ['an unchanged dependent', [[thing('a', ['u'])], [thing('a', ['u'], 'MODIFIED', ['u'])]], ['a']],
      ['a dependent added by a change', [[thing('a', [])], [thing('a', ['u'], 'MODIFIED', [])]], ['a']],
      ['not one whose reference was removed', [[thing('a', ['u'])], [thing('a', ['v'], 'MODIFIED', ['u'])]], []],
      ['not a deleted one', [[thing('a', ['u'])], [thing('a', ['u'], 'DELETED', ['u'])]], []],
      ['not one deleted before it was folded', [[thing('a', ['u']), thing('a', ['u'], 'DELETED', ['u'])]], []],
      [
        'one whose reference was removed and added in one fold',
        [[thing('a', ['u'])], [thing('a', [], 'MODIFIED', ['u']), thing('a', ['u'], 'MODIFIED', [])]],
        ['a'],
      ],
      [
        'one that was created again',
        [[thing('a', ['u'])], [thing('a', ['u'], 'DELETED', ['u'])], [thing('a', ['u'])]],
        ['a'],
      ],
    ])('finds dependents of an owner: %s', async (_case, groups, expected) => {
      await folded(...groups);
      expect(await names('u')).toEqual(expected);
    });

    test('finds dependents in all sequences of one logical cluster', async () => {
      await folded([thing('a', ['u'])]);
      for (const name of ['main/apps/sets', 'other//things']) {
        const log = store.sequence(name);
        await log.append(await log.head(), [{ ...thing('x', ['u']), key: `${name}/here/x` }], { nonce: name });
        await log.compact();
      }
      expect(await store.dependents('main', 'u')).toEqual(['main//things/default/a', 'main/apps/sets/here/x']);
      expect(await store.dependents('other', 'u')).toEqual(['other//things/here/x']);
    });

    test('ignores overlong uids, which no server issues', async () => {
      await folded([thing('a', ['', 'x'.repeat(3000), 'u'])]);
      expect(await names('u')).toEqual(['a']);
      expect(await names('x'.repeat(65))).toEqual([]);
    });
  });
}
