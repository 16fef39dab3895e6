import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The usual order of files, with the walks of real agents first of their project: they are one long file each, wait more than
 * they compute, and would be waited for alone at the end.
 */
export class AgentsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map((each) => each.project.name))];
    return projects.flatMap((project) => {
      const own = sorted.filter((each) => each.project.name === project);
      return [...own.filter(isOfAgents), ...own.filter((each) => !isOfAgents(each))];
    });
  }
}

function isOfAgents({ moduleId }: TestSpecification): boolean {
  return moduleId.includes("/tests/agents/");
}
