import { type Command, Option } from 'commander';
import { logFormatFlag } from '../flags/server.ts';
import { bindAddress } from '../run/bind-address.ts';
import type { RunFlags } from '../run/run.ts';

/** Adds `run`, which runs reconcilers as a separate process against any Kubernetes API. */
export function runCommand(command: Command): void {
  command
    .command('run')
    .description('run the reconcilers of a file or folder against any Kubernetes API')
    .argument('<path>', 'a file of reconcilers, or a folder of such files')
    .option('--kubeconfig <path>', 'default: $KUBECONFIG, the service account of the pod, or ~/.kube/config')
    .option('--context <name>', 'the context of the kubeconfig; default: the current one')
    .option('--namespace <name>', 'watch this namespace only')
    .option('--no-leader-elect', 'run without leader election')
    .option('--lease-name <name>', 'the Lease', 'davit-run')
    .option('--lease-namespace <name>', 'the namespace of the Lease; default: that of the pod or the context')
    .option(
      '--health-probe-bind-address <address>',
      'the address of /healthz and /readyz, such as :8081; 0 is none',
      bindAddress,
    )
    .option('--metrics-bind-address <address>', 'the address of /metrics, such as :8080; 0 is none', bindAddress)
    .addOption(
      new Option('--webhook-bind-address <address>', 'the address of webhooks, each at /NAME')
        .default({ port: 9443 }, ':9443')
        .argParser(bindAddress),
    )
    .option('--webhook-cert-dir <path>', 'the folder of tls.crt and tls.key; webhooks are served only with it')
    .addOption(new Option('--timeout <seconds>', 'maximum duration of a call').default(30).argParser(Number))
    .addOption(logFormatFlag())
    .action(async (path: string, flags: RunFlags) => {
      const { run } = await import('#local/run/run.ts');
      await run(path, flags);
      process.exit(0); // even if the functions left timers or sockets open
    });
}
