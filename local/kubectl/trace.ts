import type { Command } from 'commander';
import { systemClock } from '#adapters/clock.ts';
import { millisecondsOf } from '#lib/machinery/duration.ts';
import { duration } from '../flags/duration.ts';
import { connectionOf } from './connection.ts';
import { gather, since } from './gather.ts';
import { kubectl } from './kubectl.ts';
import { traceText } from './trace-text.ts';

/** Adds `trace`, which follows an object to its dependents, events and invocations. */
export function traceCommand(command: Command): void {
  command
    .command('trace')
    .description('show an object, its owners and dependents, their events and the calls of functions for them')
    .argument('<object...>', 'KIND/NAME')
    .option('--since <duration>', 'only events and calls not older than 5s, 2m or 3h', duration)
    .action(async (what: readonly string[], flags: { readonly since?: string }, self: Command) => {
      const traced = await gather(kubectl(connectionOf(self.optsWithGlobals())), what);
      const now = systemClock.now();
      const shown = flags.since === undefined ? traced : since(traced, now - millisecondsOf(flags.since));
      process.stdout.write(traceText(shown, now));
    });
}
