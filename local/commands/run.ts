import { Option, type Command } from 'commander';
import { bindAddress } from '../run/bind-address.ts';
import type { RunFlags } from '../run/run.ts';

/** Adds `run`: reconcilers as a process of their own, against any Kubernetes API. */
export function runCommand(command: Command): void {
  command
    .command('run')
    .description(
      'run the reconcilers of a file or folder against the API server of a kubeconfig, or of the pod that this is',
    )
    .argument('<path>', 'a file of reconcilers, or a folder of such files')
    .option('--kubeconfig <path>', 'default: $KUBECONFIG, the pod that this is, or ~/.kube/config')
    .option('--context <name>', 'of the kubeconfig; default the current one')
    .option('--namespace <name>', 'only what is in this namespace')
    .option('--no-leader-elect', 'work without a Lease, by which one process of several works')
    .option('--lease-name <name>', 'the Lease', 'davit-run')
    .option('--lease-namespace <name>', 'where it is; default that of the pod or the context')
    .option(
      '--health-probe-bind-address <address>',
      'where /healthz and /readyz are, such as :8081; 0 is nowhere',
      bindAddress,
    )
    .option('--metrics-bind-address <address>', 'where /metrics is, such as :8080; 0 is nowhere', bindAddress)
    .addOption(
      new Option('--webhook-bind-address <address>', 'where webhooks are, each at /NAME')
        .default({ port: 9443 }, ':9443')
        .argParser(bindAddress),
    )
    .option('--webhook-cert-dir <path>', 'has tls.crt and tls.key: webhooks are served by them')
    .addOption(new Option('--timeout <seconds>', 'what a call may last').default(30).argParser(Number))
    .action(async (path: string, flags: RunFlags) => {
      const { run } = await import('#local/run/run.ts');
      await run(path, flags);
      process.exit(0); // whatever the functions left behind
    });
}
