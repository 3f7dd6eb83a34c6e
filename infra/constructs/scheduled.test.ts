import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FRONT_DOORS } from '../context.ts';
import { templateOf } from '../testing.ts';

/**
 * The triggers of functions: schedules with their rates, and event sources. Function URLs and direct invocations are excluded, because they
 * serve requests.
 */
function beginnings(context: Readonly<Record<string, unknown>>): readonly string[] {
  const template = templateOf(context);
  const schedules = Object.entries(template.findResources('AWS::Scheduler::Schedule'));
  const mappings = Object.entries(template.findResources('AWS::Lambda::EventSourceMapping'));
  return [
    ...schedules.map(([id, { Properties }]) => `${plain(id)} ${Properties.ScheduleExpression}`),
    ...mappings.map(([id]) => plain(id)),
  ].sort();
}

const plain = (id: string): string => id.replace(/[0-9A-F]{8}$/, '');

const ALWAYS = [
  'DoorbellCommits',
  'DoorbellHourly rate(1 hour)',
  'ReconcilersHourly rate(1 hour)',
  'ReconcilersLater',
  'ReconcilersRequests',
  'SchedulerRequested',
  'SchedulerSixHourly rate(6 hours)',
];

describe('a stack is triggered without requests only by', () => {
  test.each(FRONT_DOORS)('schedules, the stream and the queues, behind %s', (frontDoor) => {
    expect(beginnings({ frontDoor })).toEqual(ALWAYS);
  });

  test('schedules that users declare', () => {
    const functions = join(import.meta.dirname, '../../test/support/fixtures/functions');
    const declared = ['ReconcilersitesRequested', 'ReconcilersitesResync rate(1 hour)'];
    expect(beginnings({ functions })).toEqual([...ALWAYS, ...declared].sort());
  });
});

test("schedules are in the stack's group and are deleted with it, including those created at run time", () => {
  const template = templateOf();
  const [group] = Object.entries(template.findResources('AWS::Scheduler::ScheduleGroup'));
  expect(group?.[1]).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
  const GroupName: unknown = group?.[1]['Properties'].Name;
  const schedules = Object.values(template.findResources('AWS::Scheduler::Schedule'));
  expect(schedules.map(({ Properties }) => Properties.GroupName)).toEqual(schedules.map(() => GroupName));
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: { DAVIT_SCHEDULE_GROUP: GroupName } },
  });
});
