/**
 * The table of kinds of files, as globs that ignore case. A file may match several; `kind.ts` decides between them. Languages come from
 * `languages.ts`.
 */

/** Files written by a program: nobody reviews such a change itself. */
export const generatedFiles: readonly string[] = [
  "{dist,out,target,coverage,htmlcov}/**",
  "**/{generated,__generated__,__pycache__,.next,.nuxt,.svelte-kit,.turbo,.cache}/**",
  "**/*.{min.js,min.css,min.mjs,bundle.js,map,pb.go,pb.cc,pb.h,g.dart,freezed.dart,designer.cs,pyc,class,o,so,dll}",
  "**/*{_pb2,_pb2_grpc}.{py,pyi}",
  "**/*.{generated,gen}.*",
  "**/*_{generated,gen}.{go,rs,ts,js}",
  "**/zz_generated*",
];

/** Modules of Python's standard library, for all platforms. */
const pythonNames: readonly string[] = [
  "abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2",
  "cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent",
  "configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal",
  "difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput",
  "fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq",
  "hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3",
  "linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msvcrt multiprocessing",
  "netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle",
  "pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile",
  "pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched",
  "secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3",
  "sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys",
  "sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token",
  "tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu",
  "uuid venv warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo",
];

/** Test runners and their dependencies: a folder or file of that name in the start folder is imported first. */
const runnerNames: readonly string[] = [
  "pytest unittest _pytest pluggy nose nose2 iniconfig packaging attr attrs py tomli exceptiongroup pygments pytest_cov",
  "coverage xdist execnet hypothesis mock typing_extensions importlib_metadata zipp more_itertools colorama toml",
];

const scripts = "js,mjs,cjs,ts,mts,cts";

/** Tools whose names are ordinary words in source too (`karma.ts`, `availability.js`), and further words in their file names. */
const wordTools = "playwright,karma,ava,mocha,cypress,babel,biome,jasmine";
const toolWords =
  "config,conf,setup,opts,hook,hooks,helper,helpers,global,globals,env,environment,base,shared,common,preset,workspace,projects,reporter,reporters,runner,register,resolver,transform,shim,e2e,unit,integration,ct";

/** Tools with a `NAME.config.js`. In a source folder, such a file with another name is source (`app.config.ts`). */
const buildTools: readonly string[] = [
  "vite,vitest,jest,eslint,wdio,testem,nightwatch,wtr,web-test-runner,protractor,detox,happo,percy,loki,backstop,stryker,c8,nyc,tap",
  `${wordTools},test,tests,unit,e2e,integration,spec,coverage,webpack,rollup,rolldown,esbuild,swc,tsup,tsdown,unbuild,build,rspack,rsbuild`,
  "rslib,rstest,parcel,farm,snowpack,turbo,nx,craco,metro,storybook,next,nuxt,svelte,astro,remix,react-router,gatsby,gridsome,vue,solid",
  "qwik,quasar,angular,ember-cli-build,tailwind,postcss,uno,unocss,windi,panda,stylelint,prettier,commitlint,lint-staged,oxlint,rome,xo",
  "knip,depcheck,dependency-cruiser,size-limit,release,semantic-release,changelog,typedoc,jsdoc,docusaurus,vuepress,vitepress,babel-plugin",
  "drizzle,prisma,knex,ormconfig,mikro-orm,codegen,graphql-codegen,graphql,orval,kubb,openapi-ts,i18next,i18next-parser,lingui,contentlayer",
  "hardhat,truffle,capacitor,ionic,electron,electron-builder,electron-vite,forge,expo,wrangler,sst,ecosystem,serverless,redocly,tsconfig",
];

/** Files that decide how things are proven or built. */
const toolFiles: readonly string[] = [
  // Files that a runner loads by itself, at any depth. `tasks.py` counts only at the root, because Celery's jobs have the name that invoke
  // looks for.
  "**/{conftest,sitecustomize,usercustomize,noxfile,fabfile}.py",
  "tasks.py",
  "**/{sitecustomize,usercustomize}/__init__.py",
  "**/{setuptests,setup-tests,test-setup,testsetup,jest-setup,vitest-setup,globalsetup,global-setup}.*",
  "**/{.env,.env.*,.envrc,.npmrc,.yarnrc*,.pnpmfile.cjs,.bunfig.toml,bunfig.toml,.nvmrc,.node-version,.python-version}",
  "**/{.ruby-version,.tool-versions,.rspec,.mocharc*,.nycrc*,.c8rc*,.taprc,.noderc,.browserslistrc,mise.toml,.mise.toml}",
  "**/{pytest,.pytest,tox}.toml",
  "**/{pytest.ini,.pytest.ini,tox.ini,setup.cfg,.coveragerc,mypy.ini,.flake8,.pylintrc,ruff.toml,.ruff.toml}",
  "**/{makefile,gnumakefile,rakefile,justfile,.justfile,taskfile.y{a,}ml,gulpfile.*,gruntfile.*,wscript,sconstruct}",
  // A tool's name must be a whole word (not `jester.ts`). Names that other files have too need a second word.
  `**/{vitest,jest,eslint,wdio,testem,nightwatch}{,.*,-*,_*,{${toolWords}}*}.{${scripts},json,jsonc}`,
  `**/{${wordTools}}{,.,-,_}{${toolWords}}{,.*,-*,_*}.{${scripts},json,jsonc}`,
  `**/{${wordTools}}{,.*}.{json,jsonc}`,
  ...buildTools.map((names) => `**/{${names}}{,.*,-*,_*}.{config,conf}.{${scripts},json,coffee}`),
  `**/*.setup.{${scripts},json,coffee}`,
  // Files that a makefile includes, and wrappers that start the build.
  "**/*.{mk,mak,make,makefile,mkfile,cmake}",
  "{gradlew,mvnw}{,.bat,.cmd}",
  "{.mvn,gradle/wrapper}/**",
  // Files with other names that tools look for and run: `.postcssrc.cjs`.
  "**/.*rc{,.*}",
  "**/.{babelrc,eslintrc,prettierrc,swcrc,stylelintrc,lintstagedrc,commitlintrc,releaserc}*",
  // Lists of files that a checker ignores. Ignore lists of git and packers do not affect a proof.
  "**/.{*lint,*hint,*spell,prettier,biome,remark,semgrep,gitleaks,trivy,nyc}ignore",
  "**/{tsconfig,jsconfig}*.json",
  "**/{phpunit,psalm,phpstan}*.{xml,xml.dist,neon,neon.dist}",
  "**/{phpunit.xml.dist,checkstyle.xml,detekt.yml,.rubocop*.yml,.golangci.y{a,}ml,rustfmt.toml,clippy.toml,.editorconfig}",
  "**/{directory.build.props,directory.build.targets,nuget.config,global.json}",
  "**/*.{runsettings,testsettings}",
  "**/.cargo/**",
  "**/{.husky,.vscode,.idea,.devcontainer,.yarn}/**",
  "{scripts,script,tools,ci,.ci,hack,build,build-tools}/**",
  ".cos/**",
  // Files at the root that Python finds before its own modules and before the dependencies of its runners.
  ...pythonNames.map((names) => `{${names.split(" ").join(",")}}.py`),
  ...pythonNames.map((names) => `{${names.split(" ").join(",")}}/__init__.py`),
  ...runnerNames.map((names) => `{${names.split(" ").join(",")}}.{js,cjs,mjs}`),
  ...runnerNames.map((names) => `{,src/,lib/}{${names.split(" ").join(",")}}.py`),
  ...runnerNames.map((names) => `{,src/,lib/}{${names.split(" ").join(",")}}/**/*.{py,pyc,pyi,pyd,so}`),
  "{,src/,lib/}mock{/**,.{js,cjs,mjs}}",
  // Files with which an installed package registers a plugin of a runner.
  "**/*.{dist-info,egg-info}/**",
  "**/*.{pth,egg-link}",
  "{node,npm,npx,pnpm,yarn,make,pytest,python,python3,go,cargo,sh,bash,vitest,jest,mocha}",
];

/** Manifests and lock files: they decide which third-party code is used. */
const dependencyFiles: readonly string[] = [
  "**/{package.json,package-lock.json,npm-shrinkwrap.json,pnpm-lock.yaml,pnpm-workspace.yaml,yarn.lock,bun.lock,bun.lockb}",
  "**/{bower.json,deno.json,deno.jsonc,deno.lock,jsr.json,lerna.json}",
  "**/{pyproject.toml,poetry.lock,uv.lock,pdm.lock,pipfile,pipfile.lock,setup.py,environment.y{a,}ml,conda.y{a,}ml}",
  "**/{requirements,constraints}*.{txt,in}",
  "**/requirements/*.{txt,in}",
  "**/{gemfile,gemfile.lock,gems.rb,gems.locked,cargo.toml,cargo.lock,build.rs,go.mod,go.sum,go.work,go.work.sum}",
  "**/{composer.json,composer.lock,pom.xml,build.sbt,ivy.xml,project.clj,deps.edn,mix.exs,mix.lock,rebar.config,rebar.lock}",
  "**/*.{gradle,gradle.kts,csproj,fsproj,vbproj,vcxproj,sln,slnx,gemspec,podspec,cabal,nimble,rockspec,opam}",
  "**/{gradle.properties,gradle.lockfile,libs.versions.toml,packages.config,packages.lock.json,directory.packages.props,paket.*}",
  "**/{pubspec.yaml,pubspec.lock,package.swift,package.resolved,podfile,podfile.lock,cartfile,cartfile.resolved}",
  "**/{stack.yaml,cabal.project,elm.json,shard.yml,shard.lock,cpanfile,makefile.pl,build.pl,dune-project,project.toml,manifest.toml}",
  "**/{vcpkg.json,conanfile.*,cmakelists.txt,meson.build,configure.ac,binding.gyp,flake.nix,flake.lock,default.nix,shell.nix}",
  "**/{workspace,workspace.bazel,module.bazel,build.bazel,.bazelrc,import_map.json,importmap.rb,brewfile}",
  "**/{pylock.toml,pixi.toml,pixi.lock,conda-lock.yml,renv.lock,gleam.toml,build.zig.zon,package.yaml,stack.yaml.lock}",
  "**/{dub.json,dub.sdl,dub.selections.json,cabal.project.freeze,directory.build.props,berksfile,rust-toolchain,rust-toolchain.toml}",
  "{description,project/*.sbt,project/dependencies.scala}",
  "**/*.xcodeproj/project.pbxproj",
];

/** Files that decide which checks a forge runs, and how. */
export const ciFiles: readonly string[] = [
  ".github/{workflows,actions}/**",
  "{.circleci,.gitlab,.buildkite,.woodpecker,.drone,.semaphore,.teamcity,.azure-pipelines,.azuredevops,.tekton,.forgejo,.gitea}/**",
  "{.gitlab-ci,.travis,.appveyor,appveyor,.cirrus,.drone,.woodpecker,azure-pipelines*,bitbucket-pipelines,wercker,codefresh,cloudbuild,buildspec}.y{a,}ml",
  "**/jenkinsfile*",
];

/** Files that build, check and deliver the product. */
const deliveryFiles: readonly string[] = [
  ...ciFiles,
  ".github/{dependabot.y{a,}ml,codeowners,settings.yml,renovate.json*}",
  "**/{dockerfile,containerfile}*",
  "**/*.{dockerfile,containerfile}",
  "**/{docker-compose*,compose,compose.*,docker-bake*}.{yaml,yml,hcl}",
  "**/{chart.yaml,kustomization.y{a,}ml,skaffold.yaml,helmfile.y{a,}ml,pulumi*.yaml,serverless.y{a,}ml,template.yaml,samconfig.toml}",
  "**/{k8s,kubernetes,helm,charts,terraform,ansible,playbooks,cloudformation,deploy,deployment}/**/*.{yaml,yml,tpl,json,tf,j2}",
  "**/*.{tf,tfvars,hcl,bicep,nomad,service}",
  "**/{vagrantfile,procfile,fly.toml,vercel.json,netlify.toml,render.yaml,app.yaml,wrangler.{toml,json,jsonc},nginx*.conf,codeowners}",
  "**/{firebase.json,caddyfile,earthfile,cdk.json,nixpacks.toml,railway.{json,toml},heroku.yml,.goreleaser.y{a,}ml,.platform.app.yaml}",
  "**/{docker-stack*,cloudformation*,template}.y{a,}ml",
  "**/.ebextensions/**",
  "**/*.tf.json",
  "**/nginx/**/*.conf",
];

/** Files that decide how things are proven or built. Added ones are removed during verification (D26). */
export const settingFiles: readonly string[] = [
  ...toolFiles,
  ...dependencyFiles,
  "**/{node_modules,bower_components,jspm_packages,.venv,venv,site-packages,third_party}/**",
  ".{github,gitlab,circleci}/**",
  ".gitlab-ci.yml",
];

/** Settings files only outside the source folders: a tool may be pointed to any of them. */
export const settingsOutsideOfSource: readonly string[] = [`**/*.{config,conf}.{${scripts},json,coffee}`];

/** Files that others build on: interfaces, stored data, dependencies, delivery. A person is asked before such work is done (D28). */
export const structuralFiles: readonly string[] = [
  ...dependencyFiles,
  ...deliveryFiles,
  "**/{migrations,migrate,migration,alembic,flyway,liquibase,evolutions}/**",
  "**/drizzle/**/*.sql",
  "**/db/changelog/**",
  "sql/[0-9]*.sql",
  "**/firestore.rules",
  "**/{v,u,r}[0-9]*__*.sql",
  "**/{schema,structure}.{rb,sql,prisma,graphql,json,yaml,yml}",
  "**/*.{prisma,dbml,edmx}",
  "**/*.{proto,thrift,avsc,avdl,graphql,graphqls,gql,wsdl,xsd,fbs,capnp,idl,raml,apib,smithy,tsp}",
  "**/{openapi,swagger,asyncapi}*.{json,yaml,yml}",
  "**/{openapi,swagger,asyncapi}/**/*.{json,yaml,yml}",
  "**/{buf,buf.gen,buf.work,supergraph}.yaml",
  "**/*.{d.ts,d.mts,d.cts,pyi}",
  "**/{androidmanifest.xml,info.plist}",
  "**/*.entitlements",
];

/** Language codes (ISO 639-1), without those that are also names of source folders: `io`, `to`, `ts`. */
const languageCodes = [
  "a[abefkmnrsvyz],b[aeghimnors],c[aehosuvy],d[aevz],e[elnostu],f[afijory],g[adlnuv],h[aeiortuyz],i[adgikstu],j[av]",
  "k[agijklmnorsuvwy],l[abginotuv],m[ghiklnrsty],n[abdeglnorvy],o[cjmrs],p[ailst],qu,r[mnouw],s[acdegiklmnoqrstuvw]",
  "t[aeghiklnrtwy],u[gkrz],v[eio],w[ao],xh,y[io],z[ahu]",
].join(",");
/** Names of texts in one language: `de`, `pt-BR`, `zh_Hant-TW`. */
const ofOneLanguage = `{${languageCodes}}{,[-_]{hans,hant,latn,cyrl,419}}{,[-_][a-z][a-z]}`;

/** Files that users see: a person is asked before such work is done (D28). */
export const userFacingFiles: readonly string[] = [
  "**/*.{css,scss,sass,less,styl,stylus,pcss,postcss,sss}",
  "**/*.{html,htm,xhtml,shtml,hta,ejs,erb,eex,heex,leex,haml,slim,pug,jade,hbs,handlebars,mustache,njk,twig,liquid}",
  "**/*.{jinja,jinja2,blade.php,phtml,latte,cshtml,razor,vbhtml,jsp,jspx,ftl,ftlh,vm,gohtml,soy,marko,riot,mjml,templ}",
  "**/*.{j2,aspx,ascx,asp,gsp,tera,edge}",
  "messages/*.json",
  "**/_locales/**/*.json",
  "**/{messages,validationmessages,strings,labels}{,_*}.properties",
  `**/{locale,locales,i18n,l10n,lang,translations}/{,**/}${ofOneLanguage}.{ts,js,mjs,cjs,csv}`,
  `**/{locale,locales,i18n,l10n,lang,translations}/{,**/}${ofOneLanguage}/**/*.{ts,js,mjs,cjs,csv}`,
  "**/fonts/**/*.{woff,woff2,ttf,otf}",
  "**/*.{wxml,wxss}",
  "**/*.{vue,svelte,astro,jsx,tsx,svg,webmanifest}",
  "**/*.{xaml,axaml,storyboard,xib,nib,qml,fxml,glade,slint,blp,kv,ui,uxml,uss,resx}",
  "**/res/{layout,drawable,values,menu,navigation,mipmap,anim,font,color}*/**",
  "**/*.{po,xlf,xliff,strings,stringsdict,xcstrings,arb}",
  "**/{locale,locales,i18n,l10n,lang,translations}/**/*.{json,json5,yml,yaml,properties,toml,php,ini}",
  "**/{components,pages,screens,views,layouts,widgets,partials}/**",
  "**/{public,static,assets,images,img,icons}/**/*.{png,jpg,jpeg,gif,webp,avif,ico,woff,woff2,ttf,otf}",
];

/** Names of folders in which a repository keeps its source. */
export const sourceRoots: readonly string[] = [
  "src",
  "lib",
  "app",
  "source",
  "sources",
  "pkg",
  "cmd",
  "internal",
  "server",
  "client",
  "bin",
];
