import { describe, expect, test } from 'vitest';
import { partitions } from '#adapters/aws/dynamodb/layout.ts';
import { occasionOf } from './occasion.ts';

const aRecord = (pk: string, eventName = 'INSERT') => ({
  eventID: '1',
  eventName,
  eventSource: 'aws:dynamodb',
  dynamodb: { Keys: { pk: { S: pk }, sk: { S: '0000000000000001' } }, StreamViewType: 'KEYS_ONLY' },
});
const { log, state, marks, logChunks } = partitions('main/apps/deployments');

describe('an occasion', () => {
  test.each([
    ['a commit', [aRecord(log)], ['main/apps/deployments']],
    [
      'commits, each sequence once',
      [aRecord(log), aRecord('log/main//pods'), aRecord(log)],
      ['main/apps/deployments', 'main//pods'],
    ],
    ['what is no commit', [state, marks, logChunks('n'), 'names', 'dead'].map((pk) => aRecord(pk)), []],
    ['an entry that is dropped or touched', [aRecord(log, 'REMOVE'), aRecord(log, 'MODIFY')], []],
    ['nothing', [], []],
  ])('%s', (_, records, ring) => {
    expect(occasionOf({ Records: records })).toEqual({ ring });
  });

  test('a schedule rings for all', () => {
    expect(occasionOf({ schedule: 'hourly' })).toEqual({ ringAll: true });
  });

  test('a deployment asks for a resync', () => {
    expect(occasionOf({ resync: ['database'] })).toEqual({ resync: ['database'] });
  });

  test('CloudFormation tells of what users declare', () => {
    const deployed = {
      RequestType: 'Update',
      ResponseURL: 'https://s3.example.com/signed',
      StackId: 's',
      RequestId: 'r',
      LogicalResourceId: 'Declared',
    };
    expect(occasionOf({ ...deployed, ResourceProperties: {} })).toEqual({ deployed });
  });

  test.each([[{}], [null], ['text'], [{ Records: [{ body: 'from a queue' }] }], [{ resync: [] }]])(
    '%j is none',
    (event) => {
      expect(() => occasionOf(event)).toThrow(TypeError);
    },
  );
});
