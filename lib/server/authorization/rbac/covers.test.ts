import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { role } from './a-policy.ts';
import { describeRights, uncovered } from './covers.ts';
import { rulesOf } from './rule.ts';

const missing = (owned: readonly string[], asked: readonly string[]): readonly string[] | undefined => {
  const rights = uncovered(rulesOf(role(...owned)), rulesOf(role(...asked)));
  return rights === undefined ? undefined : describeRights(rights);
};

/** Upstream's TestCovers. */
test.each<[title: string, owned: string[], asked: string[]]>([
  ['the same rule', ['get core pods'], ['get core pods']],
  ['an empty rule', [], []],
  ['one verb of two', ['get,list core pods'], ['list core pods']],
  ['every verb', ['* core pods'], ['list,escalate core pods']],
  ['every group', ['get * pods'], ['get core,apps pods']],
  ['every resource', ['get core *'], ['get core pods,pods/log']],
  ['the verbs of two rules together', ['get core pods', 'list core pods'], ['get,list core pods']],
  ['the resources of two rules together', ['get core pods', 'get core nodes'], ['get core pods,nodes']],
  ['a subresource of every resource', ['update core */scale'], ['update core pods/scale']],
  ['one name if all names are allowed', ['get core pods'], ['get core pods a']],
  ['the names of two rules together', ['get core pods a', 'get core pods b'], ['get core pods a,b']],
  ['a path that matches a pattern', ['get /x/*'], ['get /x/y']],
  ['a pattern within a wider one', ['get /x*'], ['get /x/*']],
  ['every path', ['get *'], ['get /x,/y*']],
])('rules cover %s', (_, owned, asked) => {
  expect(missing(owned, asked)).toEqual([]);
});

test.each<[title: string, owned: string[], asked: string[], lines: string[]]>([
  ['without any rule', [], ['get core pods'], ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}']],
  ['another verb', ['get core pods'], ['* core pods'], ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}']],
  [
    'all verbs are not covered by single verbs',
    ['get,list,watch,create,update,patch,delete,deletecollection core pods'],
    ['* core pods'],
    ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
  ],
  [
    'all resources are not covered by a subresource',
    ['* core pods'],
    ['get core */log'],
    ['{APIGroups:[""], Resources:["*/log"], Verbs:["get"]}'],
  ],
  [
    'another subresource',
    ['get core */log'],
    ['get core pods/exec'],
    ['{APIGroups:[""], Resources:["pods/exec"], Verbs:["get"]}'],
  ],
  [
    'every name is not covered by one name',
    ['get core pods a'],
    ['get core pods'],
    ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
  ],
  [
    'another name',
    ['get core pods a'],
    ['get core pods b'],
    ['{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}'],
  ],
  ['a path is not covered by resources', ['* * *'], ['get /x'], ['{NonResourceURLs:["/x"], Verbs:["get"]}']],
  [
    'a pattern is not covered by a narrower one',
    ['get /x/*'],
    ['get /x*'],
    ['{NonResourceURLs:["/x*"], Verbs:["get"]}'],
  ],
  [
    'verbs are combined and sorted by resource',
    [],
    ['list,get core pods', 'watch core pods', 'get apps deployments', 'get,post /x'],
    [
      '{APIGroups:[""], Resources:["pods"], Verbs:["list" "get" "watch"]}',
      '{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}',
      '{NonResourceURLs:["/x"], Verbs:["get"]}',
      '{NonResourceURLs:["/x"], Verbs:["post"]}',
    ],
  ],
])('reports missing permissions: %s', (_, owned, asked, lines) => {
  expect(missing(owned, asked)).toEqual(lines);
});

test('does not compare billions of combinations', () => {
  const many = Array.from({ length: 1000 }, (_, i) => `r${i}`).join(',');
  expect(missing(['* * *'], [`${many} ${many} ${many}`])).toBeUndefined();
});

test('covers a rule by its parts, however it is split', () => {
  const words = (list: string[]) => fc.uniqueArray(fc.constantFrom(...list), { minLength: 1 });
  const rule = fc.record({ verbs: words(['get', 'list', '*']), resources: words(['a', 'b', 'a/x', '*/x', '*']) });
  fc.assert(
    fc.property(rule, ({ verbs, resources }) => {
      const owned = verbs.flatMap((verb) => resources.map((resource) => `${verb} core ${resource}`));
      expect(missing(owned, [`${verbs.join(',')} core ${resources.join(',')}`])).toEqual([]);
    }),
  );
});
