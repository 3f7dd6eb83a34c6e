import { describe } from 'vitest';
import { installRuntimeClient } from '#test/support/lambda/install.ts';
import { installMinistack } from '#test/support/ministack/install.ts';
import { needing, skipUnless } from '#test/support/skip.ts';
import { channeledStack, channelSuite } from './channel.conformance.ts';

const runtime = await installRuntimeClient();
const ministack = await installMinistack();
const isFull = process.env['DAVIT_FULL'] !== undefined;

// rest.test.ts joins a node behind a REST API. functions/apiserver/node-assertion.test.ts authenticates nodes by signed requests behind
// every front door.
describe(
  'the stack with nodes and a function URL, deployed to ministack',
  isFull ? needing(ministack, runtime) : skipUnless(false, 'runs with DAVIT_FULL=1'),
  () => channelSuite(channeledStack('path' in runtime ? runtime.path : '', { frontDoor: 'function-url' })),
);
