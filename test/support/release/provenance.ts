/** What a package was built from. */
interface Origin {
  readonly repository: string;
  /** The git commit; undefined where there is no repository. */
  readonly commit: string | undefined;
  /** True where files differ from the commit. */
  readonly changed: boolean;
  readonly lockSha256: string;
  readonly node: string;
  readonly started: string;
  readonly finished: string;
}

interface Artifact {
  readonly name: string;
  readonly sha256: string;
}

/** An in-toto statement with SLSA provenance v1. It is not signed: whoever publishes signs it. */
export function provenance(artifacts: readonly Artifact[], origin: Origin): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artifacts.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${origin.repository.replace(/\.git$/, '')}#npm-run-release`,
        externalParameters: { command: 'npm ci && npm run release' },
        internalParameters: { node: origin.node, uncommittedChanges: origin.changed },
        resolvedDependencies: [
          ...(origin.commit ? [{ uri: `git+${origin.repository}`, digest: { gitCommit: origin.commit } }] : []),
          { uri: 'package-lock.json', digest: { sha256: origin.lockSha256 } },
        ],
      },
      runDetails: {
        builder: { id: 'local' },
        metadata: { startedOn: origin.started, finishedOn: origin.finished },
      },
    },
  };
}
