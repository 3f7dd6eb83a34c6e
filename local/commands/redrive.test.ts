import { describe, expect, test } from 'vitest';
import { deduplicationId } from '#lib/client/controller/delivery.ts';
import { davitCommand } from '../command.ts';
import { redriveCommand } from './redrive.ts';
import { replayCommand, replayMessage } from './replay.ts';

const URL_OF_QUEUE = 'https://sqs.example.com/1/q.fifo';
const place = { namespace: 'team', name: 'web' };

describe('a replay message', () => {
  test.each([
    ['sites', { namespace: 'team', name: 'web', queue: 'q.fifo' }],
    ['deployment-controller', { namespace: '', name: 'team/web' }],
  ])('names an object of %s', (reconciler, at) => {
    const message = replayMessage(reconciler, place, { queueUrl: URL_OF_QUEUE, nonce: 'n' });
    expect(message).toEqual({ reconciler, cluster: 'main', ...at, sequence: '', version: 0, attempt: 1, later: 'n' });
  });

  test('gets a new id each time', () => {
    const [one, other] = ['a', 'b'].map((nonce) => replayMessage('sites', place, { queueUrl: URL_OF_QUEUE, nonce }));
    expect(one && deduplicationId(one)).not.toBe(other && deduplicationId(other));
  });
});

test.each([
  [['redrive', '--queue-url', 'https://sqs.example.com/1/dead'], '--queue-url requires --to'],
  [['redrive', '--to', 'https://sqs.example.com/1/q.fifo', '--kubeconfig', '/none'], '--to requires --queue-url'],
  [['redrive', '--queue-url', 'dead'], 'A queue is named by its URL'],
  [['redrive', '--kubeconfig', '/none'], '/none does not exist'],
  [['replay', 'sites', 'a/b/c'], 'It is NAMESPACE/NAME or NAME'],
])('rejects %j in one line', async (args, why) => {
  const command = davitCommand();
  redriveCommand(command);
  replayCommand(command);
  for (const one of command.commands) one.exitOverride().configureOutput({ writeErr() {} });
  await expect(command.parseAsync(args, { from: 'user' })).rejects.toThrow(why);
});
