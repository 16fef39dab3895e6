/** Names of test files, as globs. They ignore case, except where a comment says otherwise. */

const printed = "txt,text,out,log,stdout,stderr,ansi,json,xml,yaml,yml,csv,html,md,sql,svg,png";

/** Words for kinds of tests: `functional-tests/`, `acceptance_tests/`. */
const kindsOfTests =
  "unit,functional,acceptance,integration,system,smoke,regression,e2e,end-to-end,end_to_end,conformance,contract,component,self,api,ui";

/** Tests and the files beside them. Verification uses their content from before the work; new ones may be added (D26). */
export const testFiles: readonly string[] = [
  "**/*{.,-,_}{test,spec,tests,e2e,cy}.*",
  "**/{test_*,*_test,*_spec,*_tests,conftest}.*",
  "**/{test,tests,spec,specs,testing,__tests__,__test__,e2e,cypress,playwright,itest,integration-tests}/**",
  "**/{fixtures,__fixtures__,fixture,__snapshots__,snapshots,testdata,test-data,test_data,golden,goldens}/**",
  "**/{mocks,__mocks__,stubs,fakes,test-utils,test_utils,testutils,testutil,test-helpers,test-support}/**",
  "**/src/{androidTest,integrationTest,testFixtures}/**",
  "**/*{_,-,.}{unittest,unittests,browsertest,browsertests}.*",
  // Kinds of tests in names of folders.
  `**/{${kindsOfTests}}{,-,_}tests/**`,
  "**/{testthat,tinytest,step_definitions,step-definitions}/**",
  "**/*.{snap,feature,bats,rspec,robot,hurl,phpt,slt,t.sol,test-d.ts,test-d.tsx,testclasses.abap,tftest.hcl}",
  // Expected output that tests keep.
  "**/*.{golden,expected,exp}",
  `**/*.{golden,expected,approved,verified,received}.{${printed},cs}`,
  "**/{,*-,*_}{expected{,-*,_*,.*},golden{,.*}}.{out,log,txt,text,stdout,stderr,ansi}",
  "**/expected/**/*.{out,log,txt,text,stdout,stderr,ansi}",
  "**/*.{test,tests,unittests,integrationtests,functionaltests,acceptancetests,specs}/**",
  "**/t/**/*.t",
  "{t,xt}/**",
  "**/{test,tests,runtests,run_tests,run-tests,testsuite}.{js,mjs,cjs,ts,mts,py,rb,sh,pl,php,lua}",
  "{test,tests,runtests,run_tests,run-tests,testsuite,check,verify}",
];

/** Test files only outside the source folders, because parts of a product may have such names (`src/features/support/page.ts`). */
export const testsOutsideOfSource: readonly string[] = [
  "**/features/{steps,support}/**/*.{py,rb}",
  "**/features/{environment.py,support/{env,world,hooks,hook,setup,helpers}.*}",
  "**/features/{steps,support/steps}/**/*.{js,mjs,cjs,ts,mts,cts}",
  "**/{selftest,selftests,self-test,alltests,all-tests,all_tests,smoketest,smoketests}.{js,mjs,cjs,ts,mts,py,rb,sh,pl,php,lua}",
];

/** Test classes. Matched with case, since `Credit.java` and `Contest.java` are not tests. Files below `src/main` are never tests. */
export const testClasses: readonly string[] = [
  "**/*{Test,Tests,TestCase,Spec,[a-z0-9]IT}.{java,kt,kts,scala,groovy,cs,fs,vb,php,swift,m,hs,purs,ps1,cls}",
  "**/Test[A-Z]*.{java,kt,scala,groovy}",
  "**/*_SUITE.erl",
];

/** Test folders by the conventions of Xcode, .NET, Gradle, Maven and Perl. Matched with case. */
export const testFolders: readonly string[] = [
  "**/*[A-Za-z0-9]Tests/**/*.{swift,m,mm,cs,fs,vb}",
  "**/src/{*[a-z]Test,it}/{java,kotlin,scala,groovy,resources}/**",
  "**/{t,xt}/**/*.{t,pm,pl}",
];

/** Of these, the files that are run as tests. The others are used by tests. */
export const runnableTests: readonly string[] = [
  "**/*{.,-,_}{test,spec,tests,e2e,cy}.*",
  "**/{test_*,*_test,*_spec,*_tests}.*",
  "**/*{_,-,.}{unittest,unittests,browsertest,browsertests}.*",
  "**/*.{feature,bats,rspec,robot,hurl,phpt,t.sol,test-d.ts,test-d.tsx,testclasses.abap}",
  "**/{t,xt}/**/*.t",
  "**/{test,tests,runtests,run_tests,run-tests,testsuite}.{js,mjs,cjs,ts,mts,py,rb,sh,pl,php,lua}",
  "**/{test,tests,__tests__,__test__}/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}",
];
