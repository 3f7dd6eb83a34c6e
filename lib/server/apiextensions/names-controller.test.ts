import { describe, expect, test } from 'vitest';
import { arrayAt, isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { aDefinition } from './a-definition.ts';
import { approvalCondition, conditionOf, nonStructuralCondition } from './conditions.ts';
import { decideDefinition, type IsTaken, namesHeld } from './names-controller.ts';

const now = new Date('2024-01-01T00:00:00Z');
const later = new Date('2024-01-02T00:00:00Z');

function named(name: string, names: JsonObject): JsonObject {
  return { ...aDefinition({ names }), metadata: { name } };
}

function decide(crd: JsonObject, others: readonly JsonObject[] = []): JsonObject {
  return decideDefinition(crd, takenBy(others), now) ?? crd;
}

const takenBy =
  (others: readonly JsonObject[]): IsTaken =>
  (set, name) =>
    others.some((other) => namesHeld(other)[set].includes(name));

const conditions = (crd: JsonObject): string[] =>
  arrayAt(objectAt(crd, 'status'), 'conditions')
    .filter(isObject)
    .map(({ type, status, reason, message }) => [type, status, reason, message].join('|'));

const holder = decide(aDefinition());

describe('names of a definition', () => {
  test('are accepted if free, and the definition is established', () => {
    expect(conditions(holder)).toEqual([
      'NamesAccepted|True|NoConflicts|no conflicts found',
      'Established|True|InitialNamesAccepted|the initial names have been accepted',
    ]);
    expect(objectAt(holder, 'status')).toMatchObject({
      acceptedNames: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
    });
    expect(decideDefinition(holder, takenBy([]), later)).toBeUndefined();
  });

  test("are not established while the webhook's certificates are malformed", () => {
    const webhook = (caBundle: string): JsonObject => ({
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://a', caBundle } },
    });
    const wrong = decide(aDefinition({ conversion: webhook('Y2VydA==') }));
    expect(conditions(wrong)[1]).toBe('Established|False|InvalidCABundle|The conversion webhook CABundle is invalid');
    const spec = { ...objectAt(wrong, 'spec'), conversion: webhook('') };
    expect(conditions(decide({ ...wrong, spec }))[1]).toContain('Established|True');
  });

  test.each<[string, JsonObject, string]>([
    [
      'plural',
      { plural: 'crontab', singular: 'a', kind: 'A', listKind: 'AList' },
      'PluralConflict|"crontab" is already in use',
    ],
    [
      'short names',
      { plural: 'b', singular: 'c', shortNames: ['crontab', 'crontabs', 'd'], kind: 'A', listKind: 'AList' },
      'ShortNamesConflict|["crontab" is already in use, "crontabs" is already in use]',
    ],
    [
      'kind',
      { plural: 'b', singular: 'c', kind: 'CronTabList', listKind: 'AList' },
      'KindConflict|"CronTabList" is already in use',
    ],
  ])('are rejected if another definition holds them: %s', (_, names, expected) => {
    const crd = decide(named('x.example.com', names), [holder]);
    expect(conditions(crd)).toEqual([
      `NamesAccepted|False|${expected}`,
      'Established|False|NotAccepted|not all names are accepted',
    ]);
  });

  test('are accepted once they become free', () => {
    const names = { plural: 'b', singular: 'c', kind: 'CronTab', listKind: 'BList' };
    const waiting = decide(named('b.example.com', names), [holder]);
    expect(conditionOf(decide(waiting), 'Established')).toMatchObject({ status: 'True' });
  });

  test('leave an established definition established when they conflict', () => {
    const rival = decide(named('d.example.com', { plural: 'd', singular: 'e', kind: 'D', listKind: 'DList' }), [
      holder,
    ]);
    const names = { plural: 'd', singular: 'e', kind: 'CronTab', listKind: 'DList' };
    const changed = decide({ ...rival, spec: { ...objectAt(rival, 'spec'), names } }, [holder]);
    expect(conditions(changed)).toContain('NamesAccepted|False|KindConflict|"CronTab" is already in use');
    expect(conditionOf(changed, 'Established')).toMatchObject({ status: 'True' });
  });
});

describe('other conditions of a definition', () => {
  test('reports a schema that is not structural', () => {
    const crd = aDefinition({}, { schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } } });
    expect(nonStructuralCondition(crd)).toMatchObject({
      status: 'True',
      reason: 'Violations',
      message:
        'spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
    });
    expect(nonStructuralCondition(aDefinition())).toBeUndefined();
  });

  test.each<[string, JsonObject, string | undefined]>([
    ['example.com', {}, undefined],
    ['x.k8s.io', {}, 'MissingAnnotation'],
    ['x.k8s.io', { 'api-approved.kubernetes.io': 'https://github.com/a' }, 'ApprovedAnnotation'],
    ['x.kubernetes.io', { 'api-approved.kubernetes.io': 'unapproved, a test' }, 'UnapprovedAnnotation'],
    ['k8s.io', { 'api-approved.kubernetes.io': 'yes' }, 'InvalidAnnotation'],
  ])('approval of %s with %j: %s', (group, annotations, reason) => {
    expect(approvalCondition({ ...aDefinition({ group }), metadata: { annotations } })?.reason).toBe(reason);
  });
});
