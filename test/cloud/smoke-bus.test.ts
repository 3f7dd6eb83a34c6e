import { randomUUID } from 'node:crypto';
import {
  CreateEventBusCommand,
  EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  PutEventsCommand,
} from '@aws-sdk/client-eventbridge';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describeOn } from '#test/support/describe-on.ts';
import { sqsClient } from '#test/support/ministack/queues.ts';
import { credentials, region, startMinistack } from '#test/support/ministack/start.ts';
import { busCheck } from '../../scripts/smoke/bus.ts';

describeOn(await startMinistack(), 'npm run smoke -- --bus', (endpoint) => {
  beforeAll(() => {
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
    vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
    vi.stubEnv('AWS_REGION', region);
  });
  afterAll(() => void vi.unstubAllEnvs());

  const bus = `changes-${randomUUID()}`;
  const bridge = new EventBridgeClient({ endpoint, region, credentials });
  const rules = async () => (await bridge.send(new ListRulesCommand({ EventBusName: bus }))).Rules ?? [];
  const queues = async () => (await sqsClient(endpoint).send(new ListQueuesCommand({}))).QueueUrls ?? [];

  /** The names of the queues that rules on the bus target. */
  async function targets(): Promise<string[]> {
    const found = (await rules()).map(({ Name: Rule }) =>
      bridge.send(new ListTargetsByRuleCommand({ Rule, EventBusName: bus })),
    );
    return (await Promise.all(found)).flatMap(({ Targets = [] }) =>
      Targets.map(({ Arn = '' }) => Arn.split(':').at(-1) ?? ''),
    );
  }

  test('receives an event from the bus, and leaves no rule and no queue', async () => {
    await bridge.send(new CreateEventBusCommand({ Name: bus }));
    const Detail = JSON.stringify({ kind: 'ConfigMap', namespace: 'smoke-1' });
    const entry = { EventBusName: bus, Source: 'davit', DetailType: 'change', Detail };
    let made: string[] = [];
    const act = async () => {
      made = await targets();
      await bridge.send(new PutEventsCommand({ Entries: [entry] }));
    };
    await busCheck(bus, { kind: ['ConfigMap'], namespace: ['smoke-1'] }, act).run();
    expect(made).toHaveLength(1);
    expect(await rules()).toEqual([]);
    expect((await queues()).filter((url) => made.some((name) => url.endsWith(`/${name}`)))).toEqual([]);
  });
});
