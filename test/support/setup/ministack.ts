import { startMinistack } from '#test/support/ministack/start.ts';

/**
 * One ministack for all files of a run. Each file uses unique names. Each deployed stack has its own ministack, because functions inherit
 * its environment.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const ministack = await startMinistack();
  if ('missing' in ministack) return undefined; // each file prints the reason when it is skipped
  process.env['DAVIT_MINISTACK_ENDPOINT'] = ministack.endpoint;
  return ministack.stop;
}
