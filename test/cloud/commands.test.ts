import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deadLetterQueue } from '#adapters/aws/sqs/dead-letter-queue.ts';
import { encodeMessage, messageOf } from '#lib/client/controller/delivery.ts';
import { davitCommand } from '#local/command.ts';
import { redriveCommand } from '#local/commands/redrive.ts';
import { replayCommand } from '#local/commands/replay.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { aQueue, drain, sqsClient } from '#test/support/ministack/queues.ts';
import { credentials, region, startMinistack } from '#test/support/ministack/start.ts';

const of = { cluster: 'main', namespace: 'team', sequence: 's', version: 7 };

describeOn(await startMinistack(), 'commands on queues of an account', (endpoint) => {
  const said: string[] = [];
  beforeEach(() => {
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
    vi.stubEnv('AWS_REGION', region);
    vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
    vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    said.length = 0;
  });

  async function davit(...args: readonly string[]): Promise<void> {
    const command = davitCommand();
    redriveCommand(command);
    replayCommand(command);
    await command.parseAsync(args, { from: 'user' });
  }

  test('redrive sends abandoned messages back, and leaves those of others', async () => {
    const client = sqsClient(endpoint);
    const [dead, requests] = [await aQueue(client, { fifo: false }), await aQueue(client, { fifo: true })];
    const letters = deadLetterQueue(client, dead.url);
    for (const reconciler of ['sites', 'banks'])
      await letters.put(encodeMessage({ ...messageOf({ ...of, reconciler, name: 'a' }), attempt: 30 }), 'gave up');
    await letters.put('no message', 'garbled');
    await davit('redrive', '--queue-url', dead.url, '--to', requests.url, '--reconciler', 'sites');
    expect(said).toEqual(['1 tried again, 2 left where they were']);
    const [sent, ...others] = await drain(client, requests.url, 2, 1);
    expect(others).toEqual([]);
    expect(JSON.parse(sent?.Body ?? '')).toMatchObject({
      reconciler: 'sites',
      namespace: 'team',
      name: 'a',
      attempt: 1,
    });
  });

  test('replay sends a request for one object', async () => {
    const client = sqsClient(endpoint);
    const { url } = await aQueue(client, { fifo: true });
    await davit('replay', 'deployment-controller', 'team/web', '--queue-url', url);
    expect(said).toEqual(['deployment-controller looks at team/web']);
    const { Messages: [message] = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds: 1 }),
    );
    const { later, ...rest } = JSON.parse(message?.Body ?? '') as Record<string, unknown>;
    const at = { cluster: 'main', namespace: '', name: 'team/web' };
    const first = { sequence: '', version: 0, attempt: 1 };
    expect(rest).toEqual({ reconciler: 'deployment-controller', ...at, ...first });
    expect(later).toMatch(/^[0-9a-f-]{36}$/);
  });
});
