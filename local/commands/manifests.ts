import type { Command } from 'commander';
import type { ManifestFlags } from '../run/manifests.ts';
import { dnsLabel } from './dns-label.ts';

/** Adds `manifests`: what a cluster needs to let reconcilers run in it. */
export function manifestsCommand(command: Command): void {
  command
    .command('manifests')
    .description(
      'print the service account and the role that reconcilers need outside of this server, and a Deployment',
    )
    .argument('<path>', 'a file of reconcilers, or a folder of such files')
    .option('--image <name>', 'what runs them: with it a Deployment is printed, whose command is `davit run`')
    .option('--name <name>', 'of everything; default that of the first reconciler', dnsLabel)
    .option('--namespace <name>', 'where it is to run', dnsLabel, 'davit-functions')
    .action(async (path: string, flags: ManifestFlags) => {
      const { manifestsAt } = await import('#local/run/manifests.ts');
      process.stdout.write(await manifestsAt(path, flags));
    });
}
