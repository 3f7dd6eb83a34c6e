import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import type { CommandResult, Runtime } from '../container/runtime.ts';

/** Runs commands in containers (upstream: CommandRunner). It needs no other part of the runtime manager, so probes and hooks share it. */
export const commandRunner = (runtime: Pick<RuntimeService, 'execSync'>): Pick<Runtime, 'runInContainer'> => ({
  async runInContainer(id, command, timeout): Promise<CommandResult> {
    const request = { containerId: id, cmd: [...command], timeout: BigInt(Math.ceil(timeout / 1000)) };
    const { exitCode, stdout, stderr } = await runtime.execSync(request);
    return { exitCode, stdout, stderr };
  },
});
