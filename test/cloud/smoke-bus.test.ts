import {
  CreateEventBusCommand,
  EventBridgeClient,
  ListRulesCommand,
  PutEventsCommand,
} from '@aws-sdk/client-eventbridge';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { installMinistack } from '#test/ministack/install.ts';
import { sqsClient } from '#test/ministack/queues.ts';
import { credentials, region, startMinistack } from '#test/ministack/start.ts';
import { needing } from '#test/skip.ts';
import { busCheck } from '../../scripts/smoke/bus.ts';
import type { Emulator } from './emulator.ts';

describe('npm run smoke -- --bus', needing(await installMinistack()), () => {
  let emulator: Emulator;
  beforeAll(async () => {
    const started = await startMinistack(() => ({}));
    if ('missing' in started) throw new Error(started.missing);
    emulator = started;
    vi.stubEnv('AWS_ENDPOINT_URL', emulator.endpoint);
    vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
    vi.stubEnv('AWS_REGION', region);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await emulator.stop();
  });

  test('hears an event of the bus, and leaves no rule and no queue', async () => {
    const bridge = new EventBridgeClient({ endpoint: emulator.endpoint, region, credentials });
    await bridge.send(new CreateEventBusCommand({ Name: 'changes' }));
    const Detail = JSON.stringify({ kind: 'ConfigMap', namespace: 'smoke-1' });
    const entry = { EventBusName: 'changes', Source: 'davit', DetailType: 'change', Detail };
    const act = () => bridge.send(new PutEventsCommand({ Entries: [entry] }));
    await busCheck('changes', { kind: ['ConfigMap'], namespace: ['smoke-1'] }, act).run();
    const { Rules = [] } = await bridge.send(new ListRulesCommand({ EventBusName: 'changes' }));
    const { QueueUrls = [] } = await sqsClient(emulator.endpoint).send(new ListQueuesCommand({}));
    expect([Rules, QueueUrls]).toEqual([[], []]);
  });
});
